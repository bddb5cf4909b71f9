import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ProcessHelper } from '#platform/process/helper/process-helper';

import { runGit } from './git-process.js';

describe('git that a helper starts', () => {
  let helper: ProcessHelper;

  beforeAll(() => {
    helper = new ProcessHelper({ warn: () => undefined });
  });

  afterAll(() => helper.close());

  /** Runs a command that prints one line immediately, then nothing. */
  const waiting = (onStdout: () => void, options: object = {}) =>
    runGit(['-c', 'alias.wait=!echo waits; sleep 1000', 'wait'], {
      timeoutMs: 60_000,
      start: helper.start,
      onStdout,
      ...options,
    });

  it('is retryable when the helper was killed', async () => {
    const failure = waiting(() => process.kill(helper.pid ?? 0, 'SIGKILL'));
    await expect(failure).rejects.toMatchObject({
      message: 'git was ended before it was done',
      retryable: true,
    });
  });

  it('ends at its deadline', async () => {
    expect(await waiting(() => undefined, { timeoutMs: 300 })).toMatchObject({
      code: null,
      timedOut: true,
    });
  });

  it('throws the reason when it is aborted', async () => {
    const controller = new AbortController();
    const aborted = waiting(() => controller.abort(new Error('not wanted any more')), {
      signal: controller.signal,
    });
    await expect(aborted).rejects.toThrow('not wanted any more');
  });

  it('ends when its output exceeds the limit', async () => {
    const talking = runGit(['-c', 'alias.talk=!yes', 'talk'], {
      timeoutMs: 60_000,
      start: helper.start,
      maxOutput: 100_000,
    });
    await expect(talking).rejects.toThrow('answered more than 100000 bytes');
  });
});
