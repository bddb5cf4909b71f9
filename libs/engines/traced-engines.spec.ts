import { describe, expect, it } from '@jest/globals';

import type { ChatModel } from '#models';
import { type BlobStore, NO_TRACER, type Tracer } from '#platform';

import { tracedEngines } from './traced-engines.js';

/** A store with a private field, which only its own methods may read. */
class Store {
  #stored = new Uint8Array([7]);
  get(): Promise<Uint8Array> {
    return Promise.resolve(this.#stored);
  }
  readonly put = () => Promise.resolve('hash');
  readonly readStart = this.get.bind(this);
  has(): Promise<boolean> {
    return Promise.resolve(this.#stored.length > 0);
  }
}

class RecordingTracer implements Tracer {
  readonly isEnabled = true;
  readonly names: string[] = [];
  constructor(readonly isInSpan: boolean) {}
  begin(name: string): ReturnType<Tracer['begin']> {
    const end = (error?: unknown) => this.names.push(error === undefined ? name : `${name} failed`);
    return { within: (work) => work(), set: () => undefined, end };
  }
  span<T>(name: string, _options: object, work: () => Promise<T>): Promise<T> {
    this.names.push(name);
    return work();
  }
  recordJob(): void {}
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const blobs = () => new Store() as unknown as BlobStore;

describe('tracedEngines', () => {
  it('returns the engines themselves without a tracer', () => {
    const ports = { blobs: blobs() };
    expect(tracedEngines(ports, NO_TRACER)).toBe(ports);
  });

  it('records traced methods within a span, and runs the others on the engine', async () => {
    const tracer = new RecordingTracer(true);
    const traced = tracedEngines({ blobs: blobs() }, tracer);
    expect(await traced.blobs.get('hash')).toEqual(new Uint8Array([7]));
    expect(await traced.blobs.has('hash')).toBe(true);
    expect(tracer.names).toEqual(['blob_store.get']);
  });

  it('records nothing for loops without a span around them', async () => {
    const tracer = new RecordingTracer(false);
    await tracedEngines({ blobs: blobs() }, tracer).blobs.get('hash');
    expect(tracer.names).toEqual([]);
  });

  it('ends the span of an answer when it is read, fails, or its reader leaves', async () => {
    const tracer = new RecordingTracer(true);
    let fails = false;
    const model: Pick<ChatModel, 'id' | 'answer'> = {
      id: 'model',
      async *answer() {
        await Promise.resolve();
        yield 'first' as never;
        if (fails) throw new Error('away');
        yield 'second' as never;
      },
    };
    const { chatModel } = tracedEngines({ chatModel: model }, tracer);
    const read = async (most: number) => {
      const parts: unknown[] = [];
      for await (const part of chatModel.answer({} as never)) {
        parts.push(part);
        if (parts.length === most) break;
      }
      return parts;
    };
    expect(await read(9)).toEqual(['first', 'second']);
    expect(await read(1)).toEqual(['first']);
    fails = true;
    await expect(read(9)).rejects.toThrow('away');
    const [whole, left, failed] = tracer.names;
    expect([whole, left, failed]).toEqual([
      'chat_model.answer',
      'chat_model.answer',
      'chat_model.answer failed',
    ]);
  });
});
