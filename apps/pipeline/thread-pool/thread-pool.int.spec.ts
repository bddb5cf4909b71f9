import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { fileURLToPath } from 'node:url';

import { afterEach, describe, expect, it } from '@jest/globals';

import { decodeChunkPart } from '../artifacts/chunk-part.js';
import { encodeRawPart } from '../artifacts/raw-part.js';
import { ThreadPool } from './thread-pool.js';

const grammarsDirectory = fileURLToPath(new URL('../../../grammars', import.meta.url));
const never = { tenantId: 't1', signal: new AbortController().signal };
const part = (path: string, text: string) =>
  encodeRawPart([{ path, kind: 'file', bytes: Buffer.from(text) }]);

describe('thread pool', () => {
  let pool: ThreadPool;
  afterEach(() => pool.close());

  it('carries a file through parsing and chunking', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory });
    const parsed = await pool.run('parse', { bytes: part('a.ts', 'export const a = 1;\n') }, never);
    expect(parsed).toMatchObject({ parsed: 1, skipped: [] });
    const cut = await pool.run(
      'chunk',
      { bytes: parsed.bytes, tenantId: 't1', sourceId: 's1' },
      never,
    );
    expect(decodeChunkPart(cut.bytes)).toMatchObject([
      { path: 'a.ts', content: 'export const a = 1;', start_line: 1 },
    ]);
  });

  it('takes more tasks than it has threads, and gives each its own answer', async () => {
    pool = new ThreadPool({ size: 2, grammarsDirectory });
    const texts = ['text\n', 'a\u0000b', 'more\n', 'x\u0000', 'last\n'];
    const results = await Promise.all(
      texts.map((text) => pool.run('parse', { bytes: part('a.txt', text) }, never)),
    );
    expect(results.map(({ parsed }) => parsed)).toEqual([1, 0, 1, 0, 1]);
  });

  it('serves another tenant while the tasks of one fill every thread', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory });
    const dear = 'export const a = [1, 2, 3];\n'.repeat(2_000);
    let ended = 0;
    const tasks = Array.from({ length: 20 }, async () => {
      const { bytes } = await pool.run('parse', { bytes: part('a.ts', dear) }, never);
      await pool.run('chunk', { bytes, tenantId: 't1', sourceId: 's1' }, never);
      ended += 1;
    });
    const other = { ...never, tenantId: 't2' };
    const { parsed } = await pool.run('parse', { bytes: part('b.txt', 'text\n') }, other);
    expect({ parsed, everyTaskOfTheFirstEnded: ended === tasks.length }).toEqual({
      parsed: 1,
      everyTaskOfTheFirstEnded: false,
    });
    await Promise.all(tasks);
  });

  it('passes on the error of a task and goes on with the next', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory });
    await expect(
      pool.run('parse', { bytes: Buffer.from('no artifact at all') }, never),
    ).rejects.toThrow('Not a stage artifact');
    expect(await pool.run('parse', { bytes: part('a.txt', 'text\n') }, never)).toMatchObject({
      parsed: 1,
    });
  });

  it('ends a thread that takes too long, and works on with another', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory, taskTimeoutMs: 1 });
    await expect(pool.run('parse', { bytes: part('a.txt', 'text\n') }, never)).rejects.toThrow(
      'took longer than 1 ms',
    );
    await expect(pool.run('parse', { bytes: part('a.txt', 'text\n') }, never)).rejects.toThrow(
      'took longer than 1 ms',
    );
  });

  it('rejects at once when aborted, also while waiting for a thread', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory });
    const controller = new AbortController();
    const first = pool.run(
      'parse',
      { bytes: part('a.txt', 'text\n') },
      { tenantId: 't1', signal: controller.signal },
    );
    const second = pool.run(
      'parse',
      { bytes: part('a.txt', 'text\n') },
      { tenantId: 't1', signal: controller.signal },
    );
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await expect(second).rejects.toThrow('enough');
  });

  it('starts its threads ahead of the work, which then starts none', async () => {
    let started = 0;
    const count = (): void => void (started += 1);
    subscribe('worker_threads', count);
    try {
      pool = new ThreadPool({ size: 2, grammarsDirectory });
      pool.warm();
      pool.warm();
      const texts = ['text\n', 'more\n', 'last\n'];
      await Promise.all(
        texts.map((text) => pool.run('parse', { bytes: part('a.txt', text) }, never)),
      );
      pool.warm();
      expect(started).toBe(2);
    } finally {
      unsubscribe('worker_threads', count);
    }
  });

  it('starts threads again after it was idle', async () => {
    pool = new ThreadPool({ size: 1, grammarsDirectory, idleMs: 1 });
    await pool.run('parse', { bytes: part('a.txt', 'text\n') }, never);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await pool.run('parse', { bytes: part('a.txt', 'text\n') }, never)).toMatchObject({
      parsed: 1,
    });
  });
});
