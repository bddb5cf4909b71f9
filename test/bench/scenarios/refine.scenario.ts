import { cpSync } from 'node:fs';
import { join } from 'node:path';

import type { SourceView } from '#contracts/http/index';
import { folderBytes, sleep } from '#platform';
import type { ApiClient } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo } from '../corpus.js';
import { distribution, residentMiB, timed } from '../measure.js';
import { makeQueries } from '../queries.js';
import { type Figure, latency, loadAverage } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const CHUNKS = 58_000;
const SEARCHES = 500;
const WARM_UP = 100;
const POLL_MS = 500;
const SAY_EVERY_MS = 30_000;
const LONGEST_REFINEMENT_MS = 3_600_000;
const RATE_TARGET_MINUTES = 20;
const MEANWHILE_TARGET = 1.5;
const AFTER_TARGET_MS = 8;
const DISK_TARGET_BYTES = 400;
/** Folders of a data folder with the content that searches use. */
const CONTENT_FOLDERS = ['blobs', 'index', 'sentences'];
/** A query of more words may be a sentence, which the encoder answers too. */
const LONGEST_PHRASE = 3;

/**
 * The rate at which an installed sentence encoder refines a corpus, and the time of searches
 * before, during and after it. Only sentences use the encoder, so they are measured apart.
 */
export const refineScenario: Scenario = {
  name: 'refine',
  async run({ repositories, scratch, sizes, material, say, note }: BenchContext) {
    const [chunks = CHUNKS] = sizes ?? [];
    const models = material?.models;
    if (models === undefined) throw new Error('`refine` needs --models; see npm run model');
    const service = await TwoTenantService.start(ROOMY);
    try {
      const filled = await fillTo(service.first, repositories, chunks, scratch);
      note('chunks', String(filled.chunks));
      const queries = await makeQueries(service.first, SEARCHES);
      const search = (count?: number) => searchAll(service.first, queries.slice(0, count));
      await search();
      const before = await search();
      const memoryBefore = residentMiB(service.service.pid) ?? 0;

      await service.stop();
      const diskBefore = await contentBytes(service.dataDir);
      cpSync(models, join(service.dataDir, 'models'), { recursive: true });
      await service.startAgain();
      const started = performance.now();
      await search(WARM_UP);
      const meanwhile = await search();
      const share = await refinedShare(service.first);
      if (share >= 1) throw new Error('The corpus is too small: all refined');
      const { milliseconds: alone } = await timed(() => waitUntilRefined(service.first, say));
      const whole = (performance.now() - started) / 60_000;
      await search(WARM_UP);
      const after = await search();
      const memoryAfter = residentMiB(service.service.pid) ?? 0;
      await service.stop();
      const diskAfter = await contentBytes(service.dataDir);
      const added = CONTENT_FOLDERS.map((name, at) => {
        const bytes = (diskAfter[at] ?? 0) - (diskBefore[at] ?? 0);
        return { name, bytes: bytes / filled.chunks };
      });
      const bytesPerChunk = added.reduce((sum, { bytes }) => sum + bytes, 0);
      note('load', loadAverage());
      const perSecond = ((1 - share) * filled.chunks) / (alone / 1_000);
      const rows = (name: string, { all, sentences }: Times): Figure[] => [
        latency(`POST /search ${name}`, all),
        latency(`of these, sentences ${name}`, sentences),
      ];
      const ratio = p95(meanwhile.all) / p95(before.all);
      const slower = p95(after.all) - p95(before.all);
      return [
        {
          what: `refine ${filled.chunks} chunks, ${SEARCHES + WARM_UP} searches at the same time`,
          measured:
            `${whole.toFixed(1)} minutes; ` + `${perSecond.toFixed(0)} chunks/s without searches`,
          target: `≤ ${RATE_TARGET_MINUTES} minutes`,
          met: whole <= RATE_TARGET_MINUTES,
          raw: { minutes: whole, perSecond, chunks: filled.chunks },
        },
        ...rows('before the encoder is installed', before),
        ...rows('while the encoder refines', meanwhile),
        {
          what: 'p95 of searches at the same time',
          measured: `${ratio.toFixed(2)} × before`,
          target: `≤ ${MEANWHILE_TARGET} ×`,
          met: ratio <= MEANWHILE_TARGET,
          raw: { ratio },
        },
        ...rows('after it', after),
        {
          what: 'p95 of searches afterwards',
          measured: `${slower.toFixed(1)} ms more`,
          target: `≤ ${AFTER_TARGET_MS} ms more`,
          met: slower <= AFTER_TARGET_MS,
          raw: { added: slower },
        },
        {
          what: 'disk that refining adds',
          measured:
            `${bytesPerChunk.toFixed(1)} bytes a chunk ` +
            `(${added.map(({ name, bytes }) => `${name} ${bytes.toFixed(1)}`).join(', ')})`,
          target: `≤ ${DISK_TARGET_BYTES} bytes`,
          met: bytesPerChunk <= DISK_TARGET_BYTES,
          raw: { bytesPerChunk },
        },
        {
          what: 'resident memory before and after',
          measured: `${memoryBefore.toFixed(0)} and ${memoryAfter.toFixed(0)} MiB`,
          raw: { before: memoryBefore, after: memoryAfter },
        },
      ];
    } finally {
      await service.dispose();
    }
  },
};

/** Milliseconds of all searches, and of those with a sentence. */
interface Times {
  readonly all: readonly number[];
  readonly sentences: readonly number[];
}

/** Searches by one client, one at a time. */
async function searchAll(client: ApiClient, queries: readonly string[]): Promise<Times> {
  const all: number[] = [];
  const sentences: number[] = [];
  for (const query of queries) {
    const { milliseconds } = await timed(() => client.search(query));
    all.push(milliseconds);
    if (query.split(/\s+/).length > LONGEST_PHRASE) sentences.push(milliseconds);
  }
  return { all, sentences };
}

async function waitUntilRefined(client: ApiClient, say: (line: string) => void): Promise<void> {
  const end = performance.now() + LONGEST_REFINEMENT_MS;
  let next = performance.now() + SAY_EVERY_MS;
  for (;;) {
    const share = await refinedShare(client);
    if (share >= 1) return;
    const now = performance.now();
    if (now > end) throw new Error('The refinement takes too long');
    if (now > next) {
      say(`refined ${share.toFixed(2)}`);
      next = now + SAY_EVERY_MS;
    }
    await sleep(POLL_MS);
  }
}

/** Returns the refined share of all chunks, 0 to 1. */
async function refinedShare(client: ApiClient): Promise<number> {
  const { sources } = await client.expect<{ sources: SourceView[] }>('GET', '/sources');
  let [chunks, refined] = [0, 0];
  for (const { chunk_count: count, refined_share: share = 0 } of sources) {
    chunks += count;
    refined += share * count;
  }
  return refined / chunks;
}

/** Returns the bytes of the folders with content, in the order of `CONTENT_FOLDERS`. */
function contentBytes(dataDir: string): Promise<number[]> {
  return Promise.all(CONTENT_FOLDERS.map((name) => folderBytes(join(dataDir, name))));
}

function p95(times: readonly number[]): number {
  return distribution(times).p95;
}
