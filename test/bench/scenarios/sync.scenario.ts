import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../corpus.js';
import { timed } from '../measure.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const FIRST_TARGET = 2_500;

/** First sync of the largest repository, then nothing changed, then 1 % of the files changed. */
export const syncScenario: Scenario = {
  name: 'sync',
  async run({ repositories, scratch, say }: BenchContext): Promise<readonly Figure[]> {
    const folder = repositories[0];
    if (!folder) throw new Error('The sync scenario needs a repository');
    const checkout = join(scratch, 'checkout');
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${folder}`, checkout]);
    const service = await TwoTenantService.start(ROOMY);
    try {
      say(`first sync of ${folder}`);
      const first = await syncRepository(service.first, checkout, scratch, 'bench');
      const seconds = first.milliseconds / 1000;
      const speed = first.job.chunks_created / seconds;
      const unchanged = await timed(() => service.first.syncToEnd(first.source.id));
      const touched = touchOnePercent(checkout);
      const changed = await timed(() => service.first.syncToEnd(first.source.id));
      const share = (milliseconds: number) => (milliseconds / first.milliseconds) * 100;
      return [
        {
          what: `git tree → searchable (${first.job.files_processed} files, ${first.job.chunks_created} chunks)`,
          measured: `${Math.round(speed)} chunks/s (${seconds.toFixed(1)} s)`,
          target: `≥ ${FIRST_TARGET} chunks/s`,
          met: speed >= FIRST_TARGET,
          raw: { chunks: first.job.chunks_created, files: first.job.files_processed, seconds },
        },
        {
          what: 're-sync, nothing changed',
          measured: `${share(unchanged.milliseconds).toFixed(1)} % of the first (${unchanged.milliseconds.toFixed(0)} ms)`,
          target: '≤ 5 %',
          met: share(unchanged.milliseconds) <= 5,
          raw: { milliseconds: unchanged.milliseconds },
        },
        {
          what: `re-sync, 1 % of the files changed (${touched} files, ${changed.result.chunks_created + changed.result.chunks_updated} chunks written)`,
          measured: `${share(changed.milliseconds).toFixed(1)} % of the first (${changed.milliseconds.toFixed(0)} ms)`,
          target: '≤ 10 %',
          met: share(changed.milliseconds) <= 10,
          raw: { milliseconds: changed.milliseconds, files: touched },
        },
      ];
    } finally {
      await service.dispose();
    }
  },
};

/** Appends a line to every hundredth file that is text by its ending, and commits. */
function touchOnePercent(checkout: string): number {
  const git = (...words: string[]) =>
    execFileSync(
      'git',
      ['-C', checkout, '-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...words],
      {
        encoding: 'utf8',
        maxBuffer: 256 * 1024 * 1024,
      },
    );
  const files = git('ls-files', '-z')
    .split('\0')
    .filter((name) => /\.(ts|js|java|go|py|md|scala|rs|c|h|cpp|rb)$/.test(name));
  const picked = files.filter((_, index) => index % 100 === 50);
  for (const name of picked)
    appendFileSync(join(checkout, name), '\n// changed by the benchmark\n');
  git('commit', '--quiet', '--all', '--message', 'Change 1 %');
  return picked.length;
}
