import { describe, expect, it } from '@jest/globals';

import { createHashEmbedder, type Embedder } from '#models';

import { StuckDocumentError } from '../thread-pool/document-watch.js';
import { WorkAhead } from './work-ahead.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const MIB = 1024 * 1024;

/** A pool whose tasks end on request, and blobs in memory. */
function ahead(over: { embedder?: Embedder; maxChunks?: number } = {}) {
  const tasks: PromiseWithResolvers<unknown>[] = [];
  const read: string[] = [];
  const owned = new Set<string>();
  const log: string[] = [];
  const pool = {
    size: 2,
    hasIdleThread: true,
    run: (_name: string, _input: object, { signal }: { signal: AbortSignal }) => {
      const task = Promise.withResolvers<unknown>();
      tasks.push(task);
      signal.addEventListener('abort', () => task.reject(signal.reason));
      return task.promise as never;
    },
  };
  const blobs = {
    parts: {
      get: (name: string) => {
        read.push(name);
        return Promise.resolve(new Uint8Array(1));
      },
    } as never,
    putAhead: (bytes: Uint8Array) => {
      const name = `analyzed ${bytes[0]}`;
      owned.add(name);
      return Promise.resolve(name);
    },
    handOver: (name: string) => void owned.delete(name),
    close: () => {
      log.push(`deleted ${[...owned].join()}`);
      return Promise.resolve();
    },
  };
  const controller = new AbortController();
  const work = new WorkAhead({
    tenantId: 't1',
    sourceId: 's1',
    pool,
    embedder: createHashEmbedder(),
    maxChunks: 1_000,
    signal: controller.signal,
    blobs,
    ...over,
  });
  const end = async (task: number, chunks = 1) => {
    tasks[task]?.resolve({
      parse: { parsed: 1, skipped: [], redacted: {}, size: 10 },
      chunk: { chunks, byLines: 0, size: 20 },
      bytes: Uint8Array.of(task),
    });
    await settled();
  };
  const offer = (...names: string[]) => {
    for (const name of names) work.offer(name, new Uint8Array(1));
  };
  return { work, pool, tasks, read, owned, log, controller, end, offer };
}

describe('work ahead', () => {
  it('begins no more parts than the pool has threads, and one', async () => {
    const { tasks, end, offer, work } = ahead();
    offer('a', 'b', 'c', 'd');
    await settled();
    expect(tasks).toHaveLength(3);
    await end(0);
    expect(tasks).toHaveLength(4);
    expect(work.preparedOf('a')).toMatchObject({ analyzed: 'analyzed 0', size: 1 });
    expect(work.preparedOf('b')).toBeNull();
  });

  it('takes only idle threads until a stage asks for results', async () => {
    const { work, pool, tasks, offer, end } = ahead();
    pool.hasIdleThread = false;
    offer('a', 'b');
    await settled();
    expect(tasks).toHaveLength(0);
    const result = work.resultOf('b');
    await settled();
    expect(tasks).toHaveLength(2);
    await end(1, 7);
    expect(await result).toMatchObject({ chunk: { chunks: 7 } });
  });

  it('has no result for parts in the listing, unknown parts, and with a remote model', async () => {
    const local = ahead();
    local.offer('small:0');
    expect(await local.work.resultOf('small:0')).toBeNull();
    expect(await local.work.resultOf('unknown')).toBeNull();
    const embedder = { ...createHashEmbedder(), local: false } as Embedder;
    const remote = ahead({ embedder });
    remote.offer('a');
    expect(await remote.work.resultOf('a')).toBeNull();
    expect([...local.tasks, ...remote.tasks]).toEqual([]);
    expect([local.work.isUsed, remote.work.isUsed]).toEqual([false, false]);
  });

  it('leaves a part to the stages if its task fails or needs several turns', async () => {
    const { work, tasks, offer } = ahead();
    offer('a', 'b', 'c');
    await settled();
    tasks[0]?.reject(new Error('a thread died'));
    tasks[1]?.resolve(null);
    expect([await work.resultOf('a'), await work.resultOf('b')]).toEqual([null, null]);
    expect(work.isUsed).toBe(true);
  });

  it('begins no further part after a document that a thread was caught in', async () => {
    const { work, tasks, offer } = ahead();
    offer('a', 'b', 'c', 'd');
    await settled();
    tasks[0]?.reject(new StuckDocumentError(0, 15_000));
    expect([await work.resultOf('a'), await work.resultOf('d')]).toEqual([null, null]);
    offer('e');
    expect(await work.resultOf('e')).toBeNull();
    expect(tasks).toHaveLength(3);
  });

  it('begins no further part once the source has too many chunks', async () => {
    const { work, tasks, offer, end } = ahead({ maxChunks: 10 });
    offer('a', 'b', 'c', 'd');
    await settled();
    await end(0, 11);
    expect(await work.resultOf('d')).toBeNull();
    expect(tasks).toHaveLength(3);
  });

  it('keeps 16 MiB of raw parts in memory, and reads the others back', async () => {
    const { work, pool, read } = ahead();
    pool.hasIdleThread = false;
    for (const name of ['a', 'b', 'c']) work.offer(name, new Uint8Array(7 * MIB));
    void work.resultOf('a');
    await settled();
    expect(read).toEqual(['c']);
  });

  it('deletes at its end what no stage took over, and starts nothing more', async () => {
    const { work, tasks, log, offer, end } = ahead();
    offer('a', 'b', 'c', 'd');
    await settled();
    await end(0);
    await end(1);
    work.handOver('a');
    await work.close();
    expect(log).toEqual(['deleted analyzed 1']);
    expect(await work.resultOf('d')).toBeNull();
    offer('e');
    expect(tasks).toHaveLength(4);
  });

  it('ends with its attempt', async () => {
    const { work, controller, offer } = ahead();
    offer('a', 'd');
    await settled();
    controller.abort(new Error('The job was cancelled'));
    expect(await work.resultOf('a')).toBeNull();
    offer('e');
    expect(await work.resultOf('e')).toBeNull();
  });
});
