import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from '@jest/globals';

import type { ScriptedRequest } from '#test/support/threads/scripted-thread.worker';

import { sleep } from '../clock/sleep.js';
import { ThreadClient, type ThreadOptions } from './thread-client.js';

describe('the client of a thread', () => {
  const opened: ThreadClient<ScriptedRequest, string>[] = [];
  const start = (
    options: Partial<ThreadOptions<string>> = {},
  ): ThreadClient<ScriptedRequest, string> => {
    const entry = new URL(
      '../../../test/support/threads/scripted-thread.worker.js',
      import.meta.url,
    );
    const thread = new ThreadClient<ScriptedRequest, string>({ entry, name: 'spec', ...options });
    opened.push(thread);
    return thread;
  };
  const reasonOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      (value) => {
        throw new Error(`It was answered: ${String(value)}`);
      },
      (error: Error) => error,
    );
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((thread) => thread.close()));
  });

  it('returns to every request its own answer, in any order', async () => {
    const thread = start();
    expect(await thread.opened()).toEqual({ head: 7 });
    const answers = [
      thread.ask({ kind: 'wait', milliseconds: 30 }),
      thread.ask({ kind: 'echo', value: { a: [1n] } }),
      thread.ask({ kind: 'wait', milliseconds: 5 }),
    ];
    expect(thread.load).toBe(3);
    expect(await Promise.all(answers)).toEqual([30, { a: [1n] }, 5]);
    expect(thread.load).toBe(0);
  });

  it('lets the process end while its thread is idle, and not while it has a request', async () => {
    const program = new URL(
      '../../../test/support/threads/idle-thread.process.js',
      import.meta.url,
    );
    const run = promisify(execFile)(process.execPath, [fileURLToPath(program)], {
      timeout: 60_000,
    });
    expect((await run).stdout).toBe('1\n50\n');
  });

  it('throws the error of the thread with its fields', async () => {
    const error = await reasonOf(start().ask({ kind: 'refuse', message: 'no', errcode: 11 }));
    expect(error).toMatchObject({ name: 'RangeError', message: 'no', errcode: 11 });
    expect(error).not.toHaveProperty('query');
    const made = start({ errorOf: ({ fields }) => new Error(`SQLite said ${fields['errcode']}`) });
    expect((await reasonOf(made.ask({ kind: 'refuse', message: 'no', errcode: 11 }))).message).toBe(
      'SQLite said 11',
    );
  });

  it('reports why a thread did not open, and ends it', async () => {
    const thread = start({ workerData: 'refuse to open' });
    await expect(thread.opened()).rejects.toMatchObject({ message: 'no such file', errcode: 26 });
    expect(thread.isOver).toBe(true);
  });

  it('receives news before the answer that came with it', async () => {
    const order: unknown[] = [];
    const thread = start({ onNews: (news) => order.push(news) });
    order.push(await thread.ask({ kind: 'announce', news: 'the log grew' }));
    expect(order).toEqual(['the log grew', 'announced']);
  });

  it('rejects more requests than may wait, and answers the accepted ones', async () => {
    const thread = start({ maxPending: 2, errorFor: (trouble) => new Error(trouble) });
    const taken = [1, 2].map((milliseconds) => thread.ask({ kind: 'wait', milliseconds }));
    expect((await reasonOf(thread.ask({ kind: 'seen' }))).message).toBe('busy');
    expect(await Promise.all(taken)).toEqual([1, 2]);
    expect(await thread.ask({ kind: 'seen' })).toEqual([]);
  });

  it('fails only the request that times out, and continues', async () => {
    const thread = start({ errorFor: (trouble, cause) => new Error(trouble, { cause }) });
    const [late, other] = [
      thread.ask({ kind: 'wait', milliseconds: 400 }, { timeoutMs: 20 }),
      thread.ask({ kind: 'wait', milliseconds: 60 }),
    ];
    expect((await reasonOf(late)).message).toBe('late');
    expect(await other).toBe(60);
    expect(thread.isOver).toBe(false);
  });

  it('ends a thread that does not answer in time, with all its requests, if so configured', async () => {
    const thread = start({ lateEnds: true, errorFor: (trouble) => new Error(trouble) });
    const owed = [thread.ask({ kind: 'hang' }, { timeoutMs: 50 }), thread.ask({ kind: 'seen' })];
    expect((await Promise.all(owed.map(reasonOf))).map(({ message }) => message)).toEqual([
      'died',
      'died',
    ]);
    expect((await thread.died).message).toContain('50 ms');
  });

  it.each([
    ['an error that nobody catches', 'throw-uncaught', 'nobody catches this'],
    ['its own exit', 'exit', 'The spec thread ended with code 3'],
    ['what it serves being lost', 'give-up', 'the disk is gone'],
  ] as const)(
    'reports the death of a thread by %s, after rejecting its requests',
    async (_, kind, reason) => {
      const thread = start({ errorFor: (trouble, cause) => new Error(trouble, { cause }) });
      await thread.opened();
      let rejected = 0;
      const owed = [thread.ask({ kind: 'wait', milliseconds: 60_000 }), thread.ask({ kind })];
      for (const answer of owed) answer.catch(() => (rejected += 1));
      expect((await thread.died).message).toBe(reason);
      expect(rejected).toBe(2);
      for (const answer of owed)
        expect(await reasonOf(answer)).toMatchObject({
          message: 'died',
          cause: { message: reason },
        });
      expect(await reasonOf(thread.ask({ kind: 'seen' }))).toMatchObject({ message: 'died' });
      expect(thread.isOver).toBe(true);
    },
  );

  it('lets a thread die of a message that it cannot process', async () => {
    const thread = start();
    thread.tell({ kind: 'echo', value: 1 });
    thread.tell({ kind: 'refuse', message: 'I cannot', errcode: 0 });
    expect((await thread.died).message).toBe('I cannot');
  });

  it('closes after earlier requests, reports no death, and accepts nothing more', async () => {
    const thread = start({ errorFor: (trouble) => new Error(trouble) });
    let died = false;
    void thread.died.then(() => (died = true));
    const before = thread.ask({ kind: 'echo', value: 1 });
    const closing = thread.close({ kind: 'seen' });
    expect((await reasonOf(thread.ask({ kind: 'seen' }))).message).toBe('closed');
    expect(await before).toBe(1);
    await closing;
    await sleep(20);
    expect(died).toBe(false);
  });

  it('closes a thread that does not answer its last request, and reports that', async () => {
    const thread = start({ errorFor: (trouble) => new Error(trouble) });
    const hanging = reasonOf(thread.ask({ kind: 'hang' }));
    await expect(thread.close({ kind: 'seen' }, { timeoutMs: 30 })).rejects.toThrow('late');
    expect((await hanging).message).toBe('closed');
  });

  it('moves large buffers there and back instead of copying them', async () => {
    const thread = start();
    const bytes = new Uint8Array(200_000).fill(7);
    const back = await thread.ask<Uint8Array>(
      { kind: 'echo', value: bytes },
      { transfer: [bytes.buffer] },
    );
    expect([bytes.byteLength, back.byteLength, back[199_999]]).toEqual([0, 200_000, 7]);
  });
});
