import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { SentText } from './sent-text.js';

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;

/** Reports whether a promise is settled after the work that is due. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let at = 0; at < 5; at += 1) await turn();
  return settled;
}

describe('SentText', () => {
  it('returns parts in order, and the end after the last one', async () => {
    const text = new SentText(NEVER);
    const first = text.next();
    text.write(Buffer.from('a\n'), 1);
    text.write(Buffer.from('b\n'), 2);
    text.end();
    expect(String(await first)).toBe('a\n');
    text.shift();
    expect(String(await text.next())).toBe('b\n');
    text.shift();
    expect(await text.next()).toBeUndefined();
    expect(text.files).toBe(3);
  });

  it('has room up to 1 MiB, and again once the client has read', async () => {
    const text = new SentText(NEVER);
    text.write(Buffer.alloc(MIB), 1);
    expect(await isSettled(text.room(NEVER))).toBe(true);
    text.write(Buffer.alloc(1), 0);
    const room = text.room(NEVER);
    expect(await isSettled(room)).toBe(false);
    text.shift();
    await room;
  });

  it('waits for a slow client no longer than the deadline or the connection', async () => {
    for (const which of ['deadline', 'client']) {
      const [deadline, client] = [new AbortController(), new AbortController()];
      const text = new SentText(client.signal);
      text.write(Buffer.alloc(2 * MIB), 1);
      const room = text.room(deadline.signal);
      expect(await isSettled(room)).toBe(false);
      (which === 'deadline' ? deadline : client).abort();
      await room;
    }
  });
});
