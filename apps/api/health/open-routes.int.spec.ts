import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { PROJECTIONS } from '#apps/api/engines/engines';
import { Lifecycle } from '#apps/api/lifecycle/lifecycle';
import { registerCheckpointMetrics } from '#apps/pipeline/checkpoints/checkpoint-metrics';
import type { PipelineHealth } from '#apps/pipeline/pipeline.types';
import { checkpointsCheck } from '#apps/pipeline/pipeline-health';
import type { Clock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';

const CALLERS = 64;

describe('what is answered without credentials', () => {
  let api: ApiHarness;
  let elapsed = 0;
  const clock: Clock = { now: () => new Date(), monotonic: () => performance.now() + elapsed };

  beforeAll(async () => {
    const checkpoints = {
      altered_trails: 2,
      refused: 1,
      failing_keepers: 1,
      uncopied: 3,
      ages_ms: { signed: 5_000, failing: null, stopped: 7_000 },
    };
    const health = () => ({ checkpoints }) as PipelineHealth;
    api = await ApiHarness.start({
      clock,
      processPart: {
        checks: () => [checkpointsCheck({ health })],
        registerMetrics: (registry) => registerCheckpointMetrics(registry, () => checkpoints),
      },
    });
  });
  afterAll(() => api.stop());

  /**
   * Queries for places of projections, and for the head of the log, while many callers ask at once.
   * The API itself also asks for the head, every two seconds.
   */
  const queriesBy = async (url: string): Promise<{ places: number; heads: number }> => {
    const { readModel, store } = api;
    const [positionOf, head] = [readModel.positionOf.bind(readModel), store.head.bind(store)];
    const queries = { places: 0, heads: 0 };
    readModel.positionOf = (...asked) => ((queries.places += 1), positionOf(...asked));
    store.head = () => ((queries.heads += 1), head());
    try {
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, () => api.call('GET', url, undefined, { key: null })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(CALLERS).fill(200));
      return queries;
    } finally {
      Object.assign(readModel, { positionOf });
      Object.assign(store, { head });
    }
  };

  it.each(['/health/ready', '/metrics'])(
    '%s asks the engines once a second, however many callers',
    async (url) => {
      elapsed += 1_000;
      const once = await queriesBy(url);
      expect(once.places).toBeGreaterThan(0);
      expect(once.places).toBeLessThanOrEqual(PROJECTIONS.length);
      expect(once.heads).toBeLessThanOrEqual(2);
      const again = await queriesBy(url);
      expect([again.places, again.heads <= 1]).toEqual([0, true]);
      elapsed += 1_000;
      const later = await queriesBy(url);
      expect([later.places, later.heads <= 2]).toEqual([once.places, true]);
    },
  );

  it('shows what another part of the process knows, as the checkpoints of the audit trail', async () => {
    const open = (url: string) => api.call('GET', url, undefined, { key: null });
    expect((await open('/health/ready')).body['checks']).toContainEqual({
      name: 'audit_checkpoints',
      ok: true,
      detail: expect.stringMatching(/^2 tenants whose trail .* 1 of them refused by a witness; /),
    });
    const { text } = await open('/metrics');
    const lines = text.split('\n').filter((line) => line.startsWith('footnote_audit_'));
    expect(lines).toEqual([
      'footnote_audit_altered_trails 2',
      'footnote_audit_refused_trails 1',
      'footnote_audit_failing_keepers 1',
      'footnote_audit_uncopied_checkpoints 3',
      'footnote_audit_checkpoint_age_seconds{state="signed"} 5',
      'footnote_audit_checkpoint_age_seconds{state="stopped"} 7',
    ]);
  });

  it('shows at once what this process knows about itself', async () => {
    const ready = () => api.call('GET', '/health/ready', undefined, { key: null });
    expect((await ready()).status).toBe(200);
    api.app.get(Lifecycle).announceEnd();
    expect((await ready()).status).toBe(503);
  });
});
