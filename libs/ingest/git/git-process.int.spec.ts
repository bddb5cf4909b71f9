import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ProcessHelper } from '#platform/process/helper/process-helper';

import { runGit } from './git-process.js';

describe('git that a helper starts', () => {
  let helper: ProcessHelper;

  beforeAll(() => {
    helper = new ProcessHelper({ warn: () => undefined });
  });

  afterAll(() => helper.close());

  /** Says a line as soon as it runs, then nothing. */
  const waiting = (onStdout: () => void, options: object = {}) =>
    runGit(['-c', 'alias.wait=!echo waits; sleep 1000', 'wait'], {
      timeoutMs: 60_000,
      start: helper.start,
      onStdout,
      ...options,
    });

  it('is tried again when the helper was killed', async () => {
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

  it('ends when it is aborted, by the reason', async () => {
    const controller = new AbortController();
    const aborted = waiting(() => controller.abort(new Error('not wanted any more')), {
      signal: controller.signal,
    });
    await expect(aborted).rejects.toThrow('not wanted any more');
  });

  it('ends when it says more than it may', async () => {
    const talking = runGit(['-c', 'alias.talk=!yes', 'talk'], {
      timeoutMs: 60_000,
      start: helper.start,
      maxOutput: 100_000,
    });
    await expect(talking).rejects.toThrow('answered more than 100000 bytes');
  });
});
