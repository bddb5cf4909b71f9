import { describe, expect, it } from '@jest/globals';

import type { Pipeline } from './pipeline.js';
import type { PipelineHealth } from './pipeline.types.js';
import { pipelineCheck } from './pipeline-health.js';

const checkOf = (health: Partial<PipelineHealth>) =>
  pipelineCheck({ health: () => ({ open_jobs: 3, ...health }) } as Pick<Pipeline, 'health'>);

describe('pipelineCheck', () => {
  it('shows that history is read, without failing', () => {
    const detail = 'reads history; jobs wait until it is read';
    expect(checkOf({ state: 'starting' })).toEqual({ name: 'pipeline', ok: true, detail });
  });

  it('counts open jobs', () => {
    expect(checkOf({ state: 'running' }).detail).toBe('running, 3 open jobs');
  });

  it('quotes no error, since callers need no credentials', () => {
    const { ok, detail } = checkOf({
      state: 'failing',
      error: 'tenant acme: event 7 is unreadable',
    });
    expect([ok, detail]).toEqual([true, 'failing; the logs have the reason']);
  });
});
