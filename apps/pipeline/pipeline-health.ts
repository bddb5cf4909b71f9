import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

import type { Engines } from '#engines';
import { type HealthCheck, probe } from '#platform';

import { describeCheckpoints } from './checkpoints/checkpoint-health.js';
import { registerCheckpointMetrics } from './checkpoints/checkpoint-metrics.js';
import type { Pipeline } from './pipeline.js';
import { WORKER_STAGES } from './stages/stage.types.js';
import { topicOf } from './worker/stage-message.js';

type Needs = 'eventStore' | 'queue' | 'readModel' | 'blobs';

/** A blob that nobody has: a request for it shows whether the store answers. */
const NO_BLOB = '0'.repeat(64);

/** Checks that the engines answer and the dispatcher follows the log. */
export async function pipelineChecks(
  { eventStore, queue, readModel, blobs }: Engines<Needs>,
  pipeline: Pipeline,
): Promise<readonly HealthCheck[]> {
  const { state, leads, error, open_jobs } = pipeline.health();
  return [
    ...(await Promise.all([
      probe('event_store', async () => void (await eventStore.head())),
      probe('queue', async () => void (await queue.depth(topicOf('fetch')))),
      probe('read_models', async () => void (await readModel.positionOf('generations'))),
      probe('blob_store', async () => void (await blobs.has(NO_BLOB))),
    ])),
    {
      name: 'dispatcher',
      ok: state === 'running',
      detail: error ?? `${state}, ${leads ? 'leads' : 'stands by'}, ${open_jobs} open jobs`,
    },
    checkpointsCheck(pipeline),
  ];
}

/**
 * Describes the pipeline of a process that also serves the API. It never fails: searches are
 * answered while history is read, and while jobs wait. Strangers see it, so it quotes no error.
 */
export function pipelineCheck(pipeline: Pick<Pipeline, 'health'>): HealthCheck {
  const { state, open_jobs } = pipeline.health();
  const detail = {
    starting: 'reads history; jobs wait until it is read',
    running: `running, ${open_jobs} open jobs`,
    failing: 'failing; the logs have the reason',
    stopped: 'stopped',
  }[state];
  return { name: 'pipeline', ok: true, detail };
}

/** Describes signed checkpoints. Jobs run on without them, so the check never fails. */
export function checkpointsCheck(pipeline: Pick<Pipeline, 'health'>): HealthCheck {
  const { checkpoints } = pipeline.health();
  return { name: 'audit_checkpoints', ok: true, detail: describeCheckpoints(checkpoints) };
}

/**
 * Prometheus text: open jobs, the silence of the oldest, who leads, and what waits in each topic.
 */
export function pipelineMetrics(
  { queue }: Engines<Needs>,
  pipeline: Pipeline,
): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'footnote_' });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `footnote_${name}`, help, labelNames, registers: [registry] });
  const open = gauge('open_jobs', 'Jobs that have not ended.');
  const silence = gauge(
    'job_silence_seconds',
    'Since the open job that nobody moves for the longest time last moved.',
  );
  const leads = gauge(
    'dispatcher_leads',
    '1 where this process dispatches and supervises, 0 where it stands by.',
  );
  registerCheckpointMetrics(registry, () => pipeline.health().checkpoints);
  const waiting = gauge('queue_waiting', 'Messages that wait, or are being worked on.', 'topic');
  const age = gauge('queue_oldest_seconds', 'Age of the oldest message that waits.', 'topic');
  return async () => {
    const health = pipeline.health();
    open.set(health.open_jobs);
    silence.set(health.longest_silence_ms / 1_000);
    leads.set(health.leads ? 1 : 0);
    for (const topic of WORKER_STAGES.map(topicOf)) {
      const depth = await queue.depth(topic).catch(() => null);
      if (!depth) continue;
      waiting.set({ topic }, depth.waiting);
      age.set({ topic }, (depth.oldestAgeMs ?? 0) / 1_000);
    }
    return registry.metrics();
  };
}
