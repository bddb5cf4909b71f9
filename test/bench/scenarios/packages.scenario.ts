import { join } from 'node:path';

import type { GlobalPackageList, PackageSearchResponseView } from '#contracts/http/index';
import { newApiKeySecret } from '#platform';
import { ApiClient } from '#test/support/api-client';
import { ServiceProcess } from '#test/support/service-process';

import { distribution, inParallel, timed } from '../measure.js';
import { localRegistry } from '../packages/local-registry.js';
import {
  ASKED_PACKAGES,
  type AskedPackage,
  type MeasuredRelease,
  TIMED_RELEASES,
} from '../packages/questions.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const WARM_CALLS = 400;
const FIRST = 3;

/**
 * Searches in real packages, which a registry on loopback serves: what a first search takes, a
 * later one, and what it finds.
 */
export const packagesScenario: Scenario = {
  name: 'packages',
  async run({ scratch, say, note }: BenchContext): Promise<readonly Figure[]> {
    const { site, served } = await localRegistry(
      [...ASKED_PACKAGES, ...TIMED_RELEASES],
      scratch,
      say,
    );
    const key = newApiKeySecret().secret;
    const environment = { ...site.environment, PACKAGE_SEARCH_SECONDS: '300' };
    const service = await ServiceProcess.start({
      dataDir: join(scratch, 'data'),
      key,
      environment,
    });
    try {
      const client = new ApiClient(service.url, key);
      note('packages', `${served.length} releases, downloaded beforehand and served on loopback`);
      const cold: Figure[] = [];
      for (const release of served) cold.push(await coldFigure(client, release));
      const asked = ASKED_PACKAGES.filter((each) => served.some(({ name }) => name === each.name));
      return [
        ...cold,
        await warmFigure(client, asked),
        ...(await foundFigures(client, asked, say)),
      ];
    } finally {
      await service.stop();
      await site.stop();
    }
  },
};

async function search(
  client: ApiClient,
  { ecosystem, name, version }: MeasuredRelease,
  query: string,
  top_k = 10,
) {
  const body = { ecosystem, package_name: name, version, query, top_k };
  return client.expect<PackageSearchResponseView>('POST', '/packages/search', body);
}

async function coldFigure(client: ApiClient, release: MeasuredRelease): Promise<Figure> {
  const { name, version } = release;
  const { milliseconds } = await timed(() => search(client, release, 'how does it work'));
  const query = `/packages/global?query=${encodeURIComponent(name)}&limit=100`;
  const { packages } = await client.expect<GlobalPackageList>('GET', query);
  const known = packages.find((each) => each.name === name);
  const [files, chunks] = [known?.file_count ?? 0, known?.chunk_count ?? 0];
  const isLodash = name === 'lodash';
  return {
    what: `first search in ${name} ${version} (${files} files, ${chunks} chunks), the download on loopback`,
    measured: `${(milliseconds / 1_000).toFixed(1)} s`,
    ...(isLodash && { target: '≤ 3 s', met: milliseconds <= 3_000 }),
    raw: { milliseconds, files, chunks },
  };
}

async function warmFigure(client: ApiClient, asked: readonly AskedPackage[]): Promise<Figure> {
  const all = asked.flatMap((each) =>
    each.questions.map(([question]) => [each, question] as const),
  );
  const times = await inParallel(1, WARM_CALLS, async (index) => {
    const [release, question] = all[index % all.length] ?? [];
    if (release && question !== undefined) await search(client, release, question);
  });
  const { p50, p95, p99 } = distribution(times);
  return {
    what: `${WARM_CALLS} later searches in ${asked.length} packages, one after the other over HTTP`,
    measured: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    target: 'p95 ≤ 20 ms',
    met: p95 <= 20,
    raw: { p50, p95, p99 },
  };
}

async function foundFigures(
  client: ApiClient,
  asked: readonly AskedPackage[],
  say: (line: string) => void,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  let [all, found] = [0, 0];
  for (const each of asked) {
    let hits = 0;
    for (const [question, ...files] of each.questions) {
      const paths = await firstFiles(client, each, question);
      const isHit = paths.some((path) => files.includes(path));
      if (isHit) hits += 1;
      else say(`${each.name}: ${question}: ${paths.join(', ')} instead of ${files.join(' or ')}`);
    }
    all += each.questions.length;
    found += hits;
    figures.push({
      what: `questions on ${each.name} with the right file among the first ${FIRST}`,
      measured: `${hits} of ${each.questions.length}`,
      raw: { hits, questions: each.questions.length },
    });
  }
  const share = all === 0 ? 0 : (100 * found) / all;
  figures.push({
    what: `questions on ${asked.length} packages with the right file among the first ${FIRST}`,
    measured: `${found} of ${all}: ${share.toFixed(0)} %`,
    raw: { found, questions: all },
  });
  return figures;
}

/**
 * Paths in the package of the first results, without their endings; a file counts once a result, as
 * a reader sees it.
 */
async function firstFiles(
  client: ApiClient,
  release: AskedPackage,
  question: string,
): Promise<string[]> {
  const { results = [] } = (await search(
    client,
    release,
    question,
  )) as Partial<PackageSearchResponseView>;
  return results.slice(0, FIRST).map(({ citation: { path } }) => {
    const inside = release.ecosystem === 'npm' ? path.slice(release.name.length + 1) : path;
    return inside.replace(/(?:\.d)?\.\w+$/, '');
  });
}
