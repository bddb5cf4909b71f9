import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it, jest } from '@jest/globals';

import { silentLogger } from '#platform';

import { Lifecycle } from '../lifecycle/lifecycle.js';
import { ExportStream, type SentExport } from './export-stream.js';

const caller = {
  requestId: 'r',
  principal: { kind: 'api_key' },
} as unknown as SentExport['caller'];

/** Opens a stream of an endless or failing source. */
function opened(source: (signal: AbortSignal) => AsyncIterable<Buffer>) {
  const state = { live: true, known: true, time: 0 };
  const lifecycle = new Lifecycle();
  const streams = new ExportStream(
    { isKnown: () => state.known, isLive: () => state.live } as never,
    lifecycle,
    { now: () => new Date(0), monotonic: () => state.time },
    silentLogger,
  );
  const end = jest.fn(async () => Promise.resolve());
  const release = jest.fn();
  const stream = streams.open({
    caller,
    running: { exportId: 'e', end },
    release,
    chunks: (signal, onRecord) => counted(source(signal), onRecord),
  });
  const closed = new Promise<void>((resolve) => {
    stream.once('close', resolve);
  });
  return { state, lifecycle, stream, end, release, closed };
}

async function* counted(source: AsyncIterable<Buffer>, onRecord: () => void) {
  for await (const chunk of source) {
    onRecord();
    yield chunk;
  }
}

async function* endless(signal: AbortSignal) {
  while (!signal.aborted) {
    await nextTurn();
    yield Buffer.alloc(64 * 1024);
  }
}

describe('ExportStream', () => {
  it('records a complete export and releases its slot', async () => {
    const { stream, end, release, closed } = opened(async function* () {
      yield Buffer.from('a');
      yield Promise.resolve(Buffer.from('b'));
    });
    const read: string[] = [];
    for await (const chunk of stream) read.push(String(chunk));
    await closed;
    expect(read.join('')).toBe('ab');
    expect(end.mock.calls).toEqual([[2, 'completed']]);
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('reads no more than the client takes', async () => {
    const { stream, end, closed } = opened(endless);
    stream.read(0);
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(stream.readableLength).toBeLessThanOrEqual(3 * 64 * 1024);
    stream.destroy();
    await closed;
    expect(end.mock.calls).toEqual([[expect.any(Number), 'client_aborted']]);
  });

  it('records a failing source', async () => {
    const { stream, end, release, closed } = opened(async function* () {
      yield Promise.resolve(Buffer.from('a'));
      throw new Error('log failed');
    });
    const problem = new Promise((resolve) => {
      stream.once('error', resolve);
    });
    stream.resume();
    expect(await problem).toMatchObject({ message: 'log failed' });
    await closed;
    expect(end.mock.calls).toEqual([[1, 'failed']]);
    expect(release).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['the client stops reading', 'The client stopped reading'],
    ['the credentials end', 'The credentials were revoked or expired'],
    ['the process shuts down', 'The process is shutting down'],
    ['the state of the credentials is unknown', 'The service is cut off from its event log'],
  ])('ends when %s', async (_, message) => {
    const { state, lifecycle, stream, end, closed } = opened(endless);
    const problem = new Promise((resolve) => {
      stream.once('error', resolve);
    });
    stream.read(0);
    // The source waits for the client once its buffer is full.
    while (stream.readableLength < stream.readableHighWaterMark) await nextTurn();
    if (message.startsWith('The client')) state.time = 60_001;
    if (message.startsWith('The cred')) state.live = false;
    if (message.startsWith('The process')) lifecycle.drain();
    if (message.startsWith('The service')) state.known = false;
    expect(await problem).toMatchObject({ message });
    await closed;
    expect(end.mock.calls).toEqual([[expect.any(Number), 'failed']]);
  });
});
