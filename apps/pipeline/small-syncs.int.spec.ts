import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { createHashEmbedder, type Embedder } from '#models';
import { seeded } from '#platform';
import type { WorkQueue } from '#queue';
import { TestRepository } from '#test/support/git-repository';
import { NOTHING_AHEAD } from '#test/support/nothing-ahead';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { PipelineHarness } from '#test/support/pipeline-harness';

import { chunkStage } from './stages/chunk.stage.js';
import { fetchStage } from './stages/fetch.stage.js';
import type { StageFunction } from './stages/stage.types.js';

describe('a small sync', () => {
  let harness: PipelineHarness;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
  });
  afterEach(() => harness.close());

  /** Returns the topics of published messages, in order. */
  function watched() {
    const topics: string[] = [];
    const wrapQueue = (queue: WorkQueue): WorkQueue => ({
      publish: (topic, messages, options) => {
        topics.push(...messages.map(() => topic));
        return queue.publish(topic, messages, options);
      },
      consume: (...given) => queue.consume(...given),
      depth: (topic) => queue.depth(topic),
      deadLetters: (...given) => queue.deadLetters(...given),
      loadCheckpoint: (name) => queue.loadCheckpoint(name),
      saveCheckpoint: (name, position) => queue.saveCheckpoint(name, position),
      close: () => queue.close(),
    });
    return { topics, wrapQueue };
  }

  async function syncOf(files: Readonly<Record<string, string>>) {
    const { url } = TestRepository.create(`${harness.directory.path}/repository`, files);
    return harness.sync('t1', await harness.registerSource('t1', url));
  }

  it('stays with the worker that fetched it, without a message for each stage', async () => {
    const { topics, wrapQueue } = watched();
    await harness.start({ wrapQueue });
    expect(await syncOf({ 'a.md': '# A\n\nWords.\n' })).toMatchObject({
      status: 'completed',
      attempt: 1,
    });
    expect(topics).toEqual(['stage.fetch']);
  });

  it('is not a large one, whose stages wait for places of their own', async () => {
    const { topics, wrapQueue } = watched();
    const fetch: StageFunction = (context) => fetchStage({ ...context, ahead: NOTHING_AHEAD });
    await harness.start({ wrapQueue, stages: { fetch } });
    const random = seeded(7);
    const line = () =>
      Array.from({ length: 60 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join(
        '',
      );
    const files = { 'a.txt': `${Array.from({ length: 10_000 }, line).join('\n')}\n` };
    expect(await syncOf(files)).toMatchObject({ status: 'completed' });
    expect(topics.slice(0, 3)).toEqual(['stage.fetch', 'stage.parse', 'stage.chunk']);
  });

  it('waits for a place to parse a PDF, however small that is', async () => {
    const { topics, wrapQueue } = watched();
    await harness.start({ wrapQueue });
    const bytes = writePdf([linesAt(72, 160, ['Marmosets feed on gum.'])]);
    const upload = {
      blob: await harness.blobs.put(bytes),
      file_name: 'a.pdf',
      bytes: bytes.byteLength,
    };
    const source = await harness.registerSource('t1', 'a.pdf', { source_type: 'pdf', upload });
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed' });
    expect(topics).toEqual(['stage.fetch', 'stage.parse']);
  });

  it('waits for its place where a model of somebody else is asked', async () => {
    const { topics, wrapQueue } = watched();
    const local = createHashEmbedder();
    const embedder: Embedder = {
      id: 'remote',
      dimensions: local.dimensions,
      local: false,
      embedPassages: (...given) => local.embedPassages(...given),
      embedQuery: (...given) => local.embedQuery(...given),
    };
    await harness.start({ wrapQueue, embedder });
    expect(await syncOf({ 'a.md': '# A\n\nWords.\n' })).toMatchObject({ status: 'completed' });
    expect(topics).toEqual(['stage.fetch', 'stage.embed']);
  });

  it('is taken up at the stage at which its worker was lost', async () => {
    const tried: string[] = [];
    const chunk: StageFunction = async (context) => {
      tried.push(`chunk ${context.job.attempt}`);
      return tried.length === 1 ? new Promise<never>(() => undefined) : chunkStage(context);
    };
    await harness.start({ stages: { chunk } });
    const syncing = syncOf({ 'a.md': '# A\n\nWords.\n' });
    await harness.until(() => Promise.resolve(tried.length === 1 ? true : null), 'the first try');
    await harness.restart({ stages: { chunk } });
    expect(await syncing).toMatchObject({ status: 'completed' });
    expect(tried).toEqual(['chunk 1', 'chunk 2']);
  });
});
