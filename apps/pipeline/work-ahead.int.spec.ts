import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { StageFailure } from '#contracts';
import { seeded, uuidv7 } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { NOTHING_AHEAD } from '#test/support/nothing-ahead';
import { type HarnessOptions, PipelineHarness } from '#test/support/pipeline-harness';
import { tempDir } from '#test/support/temp-dir';

import { chunkStage } from './stages/chunk.stage.js';
import { embedStage } from './stages/embed.stage.js';
import { fetchStage } from './stages/fetch.stage.js';
import { parseStage } from './stages/parse.stage.js';
import type { StageContext, StageFunction } from './stages/stage.types.js';

const STAGES = { parse: parseStage, chunk: chunkStage, embed: embedStage };
const KEY = `AKIA${'QWERTYUIOPASDFGH'}`;

/** Files of 1.5 MB that compress badly, so that their parts are stored; some are left out. */
function files(): Record<string, string> {
  const random = seeded(11);
  const word = () => `w${Math.floor(random() * 2 ** 40).toString(36)}`;
  const lines = (name: string) =>
    Array.from({ length: 300 }, (_, line) => {
      const words = Array.from({ length: 8 }, word).join(' ');
      return line % 20 === 0 ? `export function ${name}${line}() {}` : `// ${words}`;
    });
  // Few of them have a grammar: a part must end within its turn on a busy machine too.
  const named = (at: number) => [
    `src/f${at}.${at % 20 === 0 ? 'ts' : 'txt'}`,
    `${lines(`f${at}x`).join('\n')}\n`,
  ];
  return {
    ...(Object.fromEntries(Array.from({ length: 60 }, (_, at) => named(at))) as object),
    'binary.txt': 'a\u0000b',
    'secret.md': `# Key\n\nUse ${KEY} as the key.\n`,
  };
}

describe('work ahead of the stages', () => {
  const sourceId = uuidv7();
  let harness: PipelineHarness;
  const directory = tempDir();
  let url: string;
  let oneByOne: Awaited<ReturnType<typeof synced>>;
  beforeAll(async () => {
    ({ url } = TestRepository.create(`${directory.path}/repository`, files()));
    const fetch: StageFunction = (context) => fetchStage({ ...context, ahead: NOTHING_AHEAD });
    const other = await PipelineHarness.open();
    oneByOne = await synced(other, { stages: { fetch } }).finally(() => other.close());
  });
  afterAll(() => directory.remove());
  beforeEach(async () => {
    harness = await PipelineHarness.open();
  });
  afterEach(() => harness.close());

  /** Syncs, and returns the end of the job with the names of all blobs that are left. */
  async function synced(on: PipelineHarness, options: HarnessOptions) {
    await on.start(options);
    await on.registerSource('t1', url, {}, sourceId);
    const job = await on.sync('t1', sourceId);
    const blobs: string[] = [];
    for await (const { hash } of on.blobs.list()) blobs.push(hash);
    const { stage_details, counters } = job as unknown as Record<string, unknown>;
    return { status: job.status, stage_details, counters, blobs: blobs.sort() };
  }

  it('leaves the same pack, manifest and counters as the stages one by one', async () => {
    const raw: number[] = [];
    const chunk = async (context: StageContext) => {
      const listing = await context.parts.getListing<{ parts: readonly string[] }>(
        context.job.artifact ?? '',
      );
      raw.push(listing.parts.filter((name) => name.startsWith('raw:')).length);
      return chunkStage(context);
    };
    const ahead = await synced(harness, { stages: { chunk } });
    expect(raw[0]).toBeGreaterThan(0);
    expect(ahead.status).toBe('completed');
    expect(ahead.blobs).toHaveLength(2);
    expect(ahead).toEqual(oneByOne);
  });

  it.each(['parse', 'chunk', 'embed'] as const)(
    'computes the parts again if the worker fails in the %s stage, with the same result',
    async (name) => {
      let calls = 0;
      const stage = async (context: StageContext) => {
        calls += 1;
        if (calls === 1) throw new StageFailure('The network was away', true);
        return STAGES[name](context);
      };
      const { status, blobs } = await synced(harness, { stages: { [name]: stage } });
      expect({ status, calls }).toEqual({ status: 'completed', calls: 2 });
      expect(blobs).toEqual(oneByOne.blobs);
    },
  );
});
