import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type {
  DefinitionsView,
  PackageLinkList,
  ReferencesView,
  SourceView,
} from '#contracts/http/index';
import { newApiKeySecret } from '#platform';
import { ApiClient } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { ServiceProcess } from '#test/support/service-process';

import { distribution, timed } from '../measure.js';
import { IMPORTED_RELEASES, IMPORTING_FILES } from '../packages/imported-names.js';
import { localRegistry } from '../packages/local-registry.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

/** Seconds that the indexing of all releases may take. */
const MOST_SECONDS = 600;

/** An identifier that a file imports. */
interface ImportedName {
  readonly file: string;
  /** Package that defines it. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly word: string;
}

/** Navigation from a repository into real releases that it imports and that its tenant links. */
export const packageImportsScenario: Scenario = {
  name: 'package-imports',
  async run({ scratch, say, note }: BenchContext): Promise<readonly Figure[]> {
    const { site, served } = await localRegistry(IMPORTED_RELEASES, scratch, say);
    const repository = TestRepository.create(join(scratch, 'importing'), IMPORTING_FILES);
    const key = newApiKeySecret().secret;
    const environment = { ...site.environment, ALLOW_FILE_URLS_BELOW: scratch };
    const dataDir = join(scratch, 'data');
    const service = await ServiceProcess.start({ dataDir, key, environment });
    try {
      const client = new ApiClient(service.url, key);
      note('packages', served.map(({ name, version }) => `${name} ${version}`).join(', '));
      const source = await synced(client, served, repository.url);
      const known = new Set(served.map(({ name }) => name));
      const names = importedNames().filter(({ name }) => known.has(name));
      return await figures(client, source, names, say);
    } finally {
      await service.stop();
      await site.stop();
    }
  },
};

/** Links releases, syncs the repository and returns its source. */
async function synced(
  client: ApiClient,
  releases: typeof IMPORTED_RELEASES,
  url: string,
): Promise<string> {
  for (const release of releases) await client.expect('POST', '/packages/add', release);
  const body = { name: 'Importing', source_type: 'repo', url, branch: 'main' };
  const { id } = await client.expect<SourceView>('POST', '/sources', body);
  await client.call('POST', `/sources/${id}/sync`);
  for (let second = 0; second < MOST_SECONDS; second += 1) {
    const path = '/packages/my-packages?limit=100';
    const { packages } = await client.expect<PackageLinkList>('GET', path);
    const { status } = await client.expect<SourceView>('GET', `/sources/${id}`);
    if (status === 'synced' && packages.every((each) => each.status === 'synced')) return id;
    await delay(1_000);
  }
  throw new Error('The releases were not indexed in time');
}

/** Returns the last word of each line that assigns one. */
function importedNames(): readonly ImportedName[] {
  return Object.entries(IMPORTING_FILES).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at): ImportedName[] => {
      const [, word] = /= (?:\w+\.)?(\w+);?$/.exec(line) ?? [];
      if (word === undefined) return [];
      const name = file.replace(/^src\/|(?:\.app)?\.\w+$/g, '');
      return [{ file, name, line: at + 1, column: line.lastIndexOf(word) + 1, word }];
    }),
  );
}

async function figures(
  client: ApiClient,
  source: string,
  names: readonly ImportedName[],
  say: (line: string) => void,
): Promise<Figure[]> {
  const times: number[] = [];
  let [found, led] = [0, 0];
  for (const { file, name, line, column, word } of names) {
    const place = placeOf(source, { path: file, line, column });
    const asked = `/definitions?${place}`;
    const { result: value, milliseconds } = await timed(() =>
      client.expect<DefinitionsView>('GET', asked),
    );
    times.push(milliseconds);
    const [first] = value.definitions;
    const isFound =
      first?.precision === 'resolved' &&
      value.definitions.every(({ source_name }) => source_name.endsWith(`: ${name}`));
    if (isFound) found += 1;
    else say(`${name}: ${word} has ${value.count} definitions by name`);
    if (!isFound || first.line === null || first.column === null) continue;
    const there = { path: first.path, line: first.line, column: first.column };
    const path = `/references?timeout_ms=10000&limit=500&${placeOf(first.source_id, there)}`;
    const { references } = await client.expect<ReferencesView>('GET', path);
    const isLed = references.some(
      (each) => each.source_id === source && each.line === line && each.precision === 'resolved',
    );
    if (isLed) led += 1;
    else say(`${name}: the references of ${word} lack its place`);
  }
  const { p50, p95 } = distribution(times);
  return [
    {
      what: `identifiers that ${Object.keys(IMPORTING_FILES).length} files import from releases, with their definition there`,
      measured: `${found} of ${names.length}`,
      raw: { found, all: names.length },
    },
    {
      what: 'definitions of these whose references include the place that imports them',
      measured: `${led} of ${found}`,
      raw: { led, found },
    },
    {
      what: 'request for definitions at a place over HTTP',
      measured: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
      raw: { p50, p95 },
    },
  ];
}

function placeOf(
  source: string,
  at: { readonly path: string; readonly line: number; readonly column: number },
): string {
  const { path, line, column } = at;
  return String(
    new URLSearchParams({ source_id: source, path, line: `${line}`, column: `${column}` }),
  );
}
