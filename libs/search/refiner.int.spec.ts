import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { EmbeddingInput, SentenceEncoder } from '#models';
import { silentLogger } from '#platform';
import { openSegmentIndex, type SearchIndex, type SentenceIndex } from '#search-index';
import { axis, type ChunkSketch, IndexedSource, uuidOf } from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

import { Refiner } from './refiner.js';

/** More than one batch of the refiner. */
const CHUNKS = 40;

const sketchesOf = (name: string): ChunkSketch[] =>
  Array.from({ length: CHUNKS }, (_, at) => ({
    path: `src/${String(at).padStart(2, '0')}.ts`,
    text: `${name} number ${at}`,
  }));

/** Records what it embeds. Each passage may wait for the test. */
class RecordingEncoder implements SentenceEncoder {
  readonly id = 'fake-v1';
  readonly dimensions = 16;
  readonly embedded: string[] = [];
  before: (content: string) => void | Promise<void> = () => undefined;

  embedQuery(): Promise<Float32Array> {
    return Promise.reject(new Error('no query is embedded'));
  }

  async embedPassage({ content }: EmbeddingInput): Promise<Float32Array> {
    await this.before(content);
    this.embedded.push(content);
    return axis(0);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('Refiner', () => {
  let folder: ReturnType<typeof tempDir>;
  let index: SearchIndex;
  let encoder: RecordingEncoder;
  let refiner: Refiner;
  let source: IndexedSource;
  let isBusy: boolean;
  let isSearching: () => boolean;

  beforeEach(async () => {
    folder = tempDir();
    isBusy = false;
    isSearching = () => false;
    encoder = new RecordingEncoder();
    await open();
    source = new IndexedSource(uuidOf('tenant'), uuidOf('source'));
  });
  afterEach(async () => {
    await refiner.stop();
    await index.close();
    folder.remove();
  });

  async function open(): Promise<void> {
    index = await openSegmentIndex({
      directory: `${folder.path}/segments`,
      sentences: { directory: `${folder.path}/sentences`, encoder: 'fake-v1', dimensions: 16 },
    });
    refiner = new Refiner({
      index,
      encoder,
      logger: silentLogger,
      isBusy: () => isBusy,
      isSearching: () => isSearching(),
    });
  }
  const publish = (generation: number, sketches: readonly ChunkSketch[]) =>
    index.applyGeneration(source.manifest(generation, [source.pack(sketches)]), source.readBlob);
  const sentences = () => index.sentences as SentenceIndex;

  /** Waits without a limit of its own: the runner ends a test that never succeeds. */
  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('embeds every passage of a published generation once', async () => {
    await publish(1, sketchesOf('first'));
    refiner.start();
    await until(() => sentences().covers(source.at(1)));
    expect(encoder.embedded.toSorted()).toEqual(
      sketchesOf('first')
        .map(({ text }) => text)
        .toSorted(),
    );
  });

  it('continues after a restart with what is not stored yet', async () => {
    await publish(1, sketchesOf('first'));
    // Stops in the second batch, which is then not stored.
    encoder.before = () => {
      if (encoder.embedded.length === 34) void refiner.stop();
    };
    refiner.start();
    await until(() => encoder.embedded.length >= 35);
    await refiner.stop();
    await index.close();

    encoder.before = () => undefined;
    encoder.embedded.length = 0;
    await open();
    refiner.start();
    await until(() => sentences().covers(source.at(1)));
    expect(encoder.embedded).toHaveLength(CHUNKS - 32);
  });

  it('turns to a newer generation after the current batch', async () => {
    await publish(1, sketchesOf('first'));
    const second = sketchesOf('second');
    encoder.before = async () => {
      if (encoder.embedded.length === 1) await publish(2, second);
    };
    refiner.start();
    await until(() => sentences().covers(source.at(2)));
    const embedded = encoder.embedded.slice(0, 32 + CHUNKS);
    expect(embedded.map((content) => content.split(' ')[0])).toEqual([
      ...Array<string>(32).fill('first'),
      ...Array<string>(CHUNKS).fill('second'),
    ]);
  });

  it('drops the batch of a generation that was removed', async () => {
    await publish(1, sketchesOf('first'));
    encoder.before = async () => {
      if (encoder.embedded.length !== 1) return;
      await publish(2, sketchesOf('second'));
      await index.dropGeneration(source.tenantId, source.sourceId, 1);
    };
    refiner.start();
    await until(() => sentences().covers(source.at(2)));
    expect(sentences().share(source.at(2))).toBe(1);
    expect(encoder.embedded.filter((content) => content.startsWith('first'))).toHaveLength(32);
  });

  it('takes over unchanged chunks, and embeds the changed ones alone', async () => {
    const sketches = sketchesOf('first');
    await publish(1, sketches);
    refiner.start();
    await until(() => sentences().covers(source.at(1)));
    encoder.embedded.length = 0;
    const changed = { ...(sketches.at(-1) as ChunkSketch), text: 'changed' };
    await publish(2, [...sketches.slice(0, -1), changed]);
    await until(() => sentences().covers(source.at(2)));
    expect(encoder.embedded).toEqual(['changed']);
  });

  it('embeds nothing while other work comes first', async () => {
    isBusy = true;
    await publish(1, sketchesOf('first'));
    refiner.start();
    await refiner.stop();
    expect(encoder.embedded).toEqual([]);
  });

  it('waits before a passage until no search is at work', async () => {
    let asked = 0;
    const embeddedAt: number[] = [];
    // Searches are at work the first five times that it asks.
    isSearching = () => (asked += 1) <= 5;
    encoder.before = () => void embeddedAt.push(asked);
    await publish(1, sketchesOf('first'));
    refiner.start();
    await until(() => sentences().covers(source.at(1)));
    expect(embeddedAt[0]).toBe(6);
    expect(encoder.embedded).toHaveLength(CHUNKS);
  });

  it('goes on after a while if searches never end', async () => {
    isSearching = () => true;
    await publish(1, sketchesOf('first').slice(0, 2));
    refiner.start();
    await until(() => sentences().covers(source.at(1)));
    expect(encoder.embedded).toHaveLength(2);
  });

  it('retries a batch after a failure of the encoder', async () => {
    await publish(1, sketchesOf('first'));
    let failures = 1;
    encoder.before = () => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('away');
      }
    };
    refiner.start();
    await until(() => sentences().covers(source.at(1)));
    expect(encoder.embedded).toHaveLength(CHUNKS);
  });
});
