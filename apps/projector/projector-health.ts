import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

import type { Engines } from '#engines';
import { type HealthCheck, probe } from '#platform';

import type { KeptFeed } from './feed/keep-feed.js';
import type { Projector } from './projector.js';
import type { ProjectionHealth } from './runner/projector-context.js';

/** Checks that the engines answer and that no projection of this process is stopped. */
export async function projectorChecks(
  { eventStore, readModel, searchIndex }: Engines<'eventStore' | 'readModel' | 'searchIndex'>,
  projector: Projector,
  feed: KeptFeed,
): Promise<readonly HealthCheck[]> {
  return [
    ...(await Promise.all([
      probe('event_store', async () => void (await eventStore.head())),
      probe('read_models', async () => void (await readModel.positionOf('sources'))),
      probe('search_index', async () => void (await searchIndex.generations())),
    ])),
    ...projector.health().map(projectionCheck),
    ...feed.health().map((health) => ({ ...projectionCheck(health), name: 'event_feed' })),
  ];
}

function projectionCheck({ name, state, lag, error }: ProjectionHealth): HealthCheck {
  const ok = error === undefined && state !== 'failed' && state !== 'stopped';
  return {
    name: `projection_${name}`,
    ok,
    detail: error ? `${state}: ${error}` : `${state}, ${lag} ms behind`,
  };
}

/**
 * Prometheus text of the projections' and the feed's state, in addition to Node's process metrics.
 */
export function projectorMetrics(projector: Projector, feed: KeptFeed): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'footnote_' });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `footnote_${name}`, help, labelNames, registers: [registry] });
  const lag = gauge(
    'projection_lag_seconds',
    'Age of the oldest event that was seen and is not in the rows.',
    'projection',
  );
  const kept = gauge(
    'projection_kept',
    '1 where this process keeps the projection, 0 where it stands by.',
    'projection',
  );
  const outOfOrder = gauge(
    'projection_deliveries_out_of_order',
    'How often the log delivered an event at or before a place that it had delivered before; since the start.',
    'projection',
  );
  const feedKept = gauge(
    'feed_kept',
    '1 where this process publishes the log to the feed, 0 where it stands by.',
  );
  const feedFailing = gauge(
    'feed_failing',
    '1 while this process keeps the feed and it cannot be written.',
  );
  const feedLag = gauge(
    'feed_lag_seconds',
    'Age of the oldest event that was seen and is not published.',
  );
  return () => {
    for (const health of projector.health()) {
      lag.set({ projection: health.name }, health.lag / 1_000);
      outOfOrder.set({ projection: health.name }, health.outOfOrder ?? 0);
      kept.set({ projection: health.name }, health.state === 'standby' ? 0 : 1);
    }
    const [relay] = feed.health();
    feedKept.set(relay ? 1 : 0);
    feedFailing.set(relay?.error === undefined ? 0 : 1);
    feedLag.set((relay?.lag ?? 0) / 1_000);
    return registry.metrics();
  };
}
