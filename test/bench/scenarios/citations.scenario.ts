import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';

import type { ApiClient, ResultView } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../corpus.js';
import { makeQueries } from '../queries.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const QUERIES = 50;

/**
 * Compares every result of fifty queries with the cited lines, read from the repository at the
 * cited commit.
 */
export const citationsScenario: Scenario = {
  name: 'citations',
  async run({ repositories, scratch, say }: BenchContext): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const folder of repositories) {
      const service = await TwoTenantService.start(ROOMY);
      try {
        say(`citations of ${folder}`);
        const { job } = await syncRepository(service.first, folder, scratch);
        const { compared, pieces, differing } = await compare(service.first, folder);
        figures.push({
          what: `citations of ${basename(folder.replace(/\/repo$/, ''))} (${job.files_processed} files), ${QUERIES} queries`,
          measured: `${compared - pieces - differing} of ${compared} results equal the cited lines byte for byte, ${pieces} are a piece of one over-long line, ${differing} differ`,
          target: 'none differs',
          met: differing === 0,
          raw: { compared, pieces, differing },
        });
      } finally {
        await service.dispose();
      }
    }
    return figures;
  },
};

async function compare(
  client: ApiClient,
  folder: string,
): Promise<{ compared: number; pieces: number; differing: number }> {
  let compared = 0;
  let pieces = 0;
  let differing = 0;
  for (const query of await makeQueries(client, QUERIES)) {
    const { results = [] } = await client.search(query, { max_tokens: 32_000 });
    for (const result of results) {
      compared += 1;
      const lines = citedLines(folder, result);
      if (result.content === lines) continue;
      if (isPiece(result, lines)) pieces += 1;
      else differing += 1;
    }
  }
  return { compared, pieces, differing };
}

/** A line too long for one chunk is cut inside; each piece cites the line. */
function isPiece({ content, citation }: ResultView, line: string): boolean {
  return citation.start_line === citation.end_line && line.includes(content);
}

function citedLines(folder: string, { citation }: ResultView): string {
  const text = execFileSync(
    'git',
    ['-C', folder, 'show', `${citation.version_ref}:${citation.path}`],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return text
    .toString('utf8')
    .split('\n')
    .slice(citation.start_line - 1, citation.end_line)
    .join('\n');
}
