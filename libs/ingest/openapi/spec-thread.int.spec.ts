import { describe, expect, it } from '@jest/globals';

import { type SpecAnswer, type SpecRequest, SpecThread } from './spec-thread.js';

const OPTIONS = { include: [], exclude: [], maxParts: 100_000, recipe: 'r1' };

async function readSpecAside(
  request: SpecRequest,
  signal: AbortSignal,
  tenantId = 't1',
): Promise<SpecAnswer> {
  const thread = new SpecThread(tenantId, signal);
  try {
    return await thread.read(request);
  } finally {
    thread.close();
  }
}

function spec(operations: number): Uint8Array {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, at) => [`/a${at}`, { get: { summary: 'x' } }]),
  );
  return Buffer.from(JSON.stringify({ openapi: '3.1.0', info: { version: '1' }, paths }));
}

describe('reading a specification aside', () => {
  const never = new AbortController().signal;

  it('leaves the process free for other work', async () => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const started = performance.now();
    const { parts } = await readSpecAside({ bytes: spec(20_000), ...OPTIONS }, never);
    clearInterval(timer);
    expect(parts).toHaveLength(20_001);
    expect(longest).toBeLessThan((performance.now() - started) / 2);
  });

  it('ends at once when it is given up, and the next one is read', async () => {
    const controller = new AbortController();
    const given = readSpecAside({ bytes: spec(50_000), ...OPTIONS }, controller.signal);
    const next = readSpecAside({ bytes: spec(1), ...OPTIONS }, never);
    const waiting = readSpecAside({ bytes: spec(1), ...OPTIONS }, controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(given).rejects.toThrow('cancelled');
    await expect(waiting).rejects.toThrow('cancelled');
    expect((await next).parts).toHaveLength(2);
  });

  it("reads a small one of another tenant before one tenant's large and small ones are through", async () => {
    const ended: string[] = [];
    const read = async (name: string, tenantId: string, operations: number) => {
      await readSpecAside({ bytes: spec(operations), ...OPTIONS }, never, tenantId);
      ended.push(name);
    };
    await Promise.all([
      ...[1, 2].map(() => read('large of A', 'a', 30_000)),
      ...[1, 2].map(() => read('small of A', 'a', 18_000)),
      read('small of B', 'b', 1),
    ]);
    expect(ended[0]).toBe('small of B');
  });

  it('says what is wrong with a specification in its own words', async () => {
    await expect(
      readSpecAside({ bytes: Buffer.from('{}'), ...OPTIONS }, never),
    ).rejects.toMatchObject({
      name: 'SpecProblem',
      message: 'is not an OpenAPI specification: it has neither an openapi nor a swagger field',
    });
  });
});
