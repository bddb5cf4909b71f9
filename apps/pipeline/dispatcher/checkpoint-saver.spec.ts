import { describe, expect, it } from '@jest/globals';

import { CheckpointSaver } from './checkpoint-saver.js';

/** Writes that end on request, in order. */
function slowWrites() {
  const begun: { readonly position: string; readonly end: PromiseWithResolvers<void> }[] = [];
  const write = (position: string): Promise<void> => {
    const end = Promise.withResolvers<void>();
    begun.push({ position, end });
    return end.promise;
  };
  return { begun, write };
}

describe('CheckpointSaver', () => {
  it('writes one position at a time, and then the newest of those that came during the write', async () => {
    const { begun, write } = slowWrites();
    const saver = new CheckpointSaver(write);
    for (const position of ['1', '2', '3']) saver.save(position);
    expect(begun.map(({ position }) => position)).toEqual(['1']);
    begun[0]?.end.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(begun.map(({ position }) => position)).toEqual(['1', '3']);
    begun[1]?.end.resolve();
    await saver.settled();
    saver.save('4');
    begun[2]?.end.resolve();
    await saver.settled();
    expect(begun.map(({ position }) => position)).toEqual(['1', '3', '4']);
  });

  it('reports a failed write at the next position, once, and continues', async () => {
    const { begun, write } = slowWrites();
    const saver = new CheckpointSaver(write);
    saver.save('1');
    begun[0]?.end.reject(new Error('the brokers are away'));
    await saver.settled();
    expect(() => saver.save('2')).toThrow('the brokers are away');
    saver.save('2');
    begun[1]?.end.resolve();
    await saver.settled();
    expect(begun.map(({ position }) => position)).toEqual(['1', '2']);
  });
});
