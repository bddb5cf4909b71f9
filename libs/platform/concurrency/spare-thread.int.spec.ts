import { afterEach, describe, expect, it } from '@jest/globals';

import type { ScriptedRequest } from '#test/support/threads/scripted-thread.worker';

import { SpareThread } from './spare-thread.js';
import { ThreadClient } from './thread-client.js';

const ENTRY = new URL('../../../test/support/threads/scripted-thread.worker.js', import.meta.url);

describe('a spare thread', () => {
  const started: ThreadClient<ScriptedRequest>[] = [];
  const start = () => {
    const thread = new ThreadClient<ScriptedRequest>({ entry: ENTRY, name: 'spec', unref: true });
    started.push(thread);
    return thread;
  };
  const open = (idleMs?: number) =>
    new SpareThread<ScriptedRequest>({ start, ...(idleMs !== undefined && { idleMs }) });
  afterEach(() => Promise.all(started.splice(0).map((thread) => thread.close())));

  it('returns the thread of the previous user', async () => {
    const threads = open();
    const first = threads.take();
    await first.ask({ kind: 'echo', value: 1 }, { timeoutMs: 10_000 });
    threads.giveBack(first);
    expect(threads.take()).toBe(first);
    expect(await first.ask({ kind: 'echo', value: 2 }, { timeoutMs: 10_000 })).toBe(2);
  });

  it('gives each user a thread of their own, and keeps one of them', () => {
    const threads = open();
    const [first, second] = [threads.take(), threads.take()];
    expect(second).not.toBe(first);
    threads.giveBack(first);
    threads.giveBack(second);
    expect(second.isOver).toBe(true);
    expect(threads.take()).toBe(first);
  });

  it('ends a thread that has work, and does not return one that has ended', async () => {
    const threads = open();
    const busy = threads.take();
    const answer = busy.ask({ kind: 'wait', milliseconds: 60_000 }, { timeoutMs: 120_000 });
    threads.giveBack(busy);
    await expect(answer).rejects.toThrow('closed');
    const dead = threads.take();
    threads.giveBack(dead);
    await dead.kill(new Error('ended'));
    expect(threads.take()).not.toBe(dead);
  });

  it('ends the thread after its idle time', async () => {
    const threads = open(1);
    const thread = threads.take();
    threads.giveBack(thread);
    while (!thread.isOver) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(threads.take()).not.toBe(thread);
  });
});
