import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock, SharedReading, withTimeout } from '#platform';

import {
  type ApiReadModel,
  PROCESS_PART,
  type ProcessPart,
  PROJECTIONS,
  READ_MODEL,
} from '../engines/engines.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/** The text is made at most this often, milliseconds: nobody needs credentials for it. */
const MADE_MS = 1_000;
/** Engines that take longer are left out, milliseconds. */
const MEASURED_WITHIN_MS = 2_000;
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Rates, errors and durations of requests by route pattern, and how far the projections, in memory
 * and in tables, are behind the log.
 */
@Injectable()
export class ApiMetrics implements OnApplicationShutdown {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'footnote_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [this.registry],
  });
  private readonly behind = new Gauge({
    name: 'footnote_reader_behind_events',
    help: 'Log positions between the head and what a follower or projection has applied.',
    labelNames: ['reader'] as const,
    registers: [this.registry],
  });
  private readonly made: SharedReading<string>;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly inMemory: InMemoryProjections,
    @Inject(PROCESS_PART) part: ProcessPart | null,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.made = new SharedReading(() => this.make(), { forMs: MADE_MS, clock });
    collectDefaultMetrics({ register: this.registry, prefix: 'footnote_' });
    part?.registerMetrics(this.registry);
  }

  /**
   * Measures every request of the server. Unknown routes share one label, so that callers cannot
   * make labels up.
   */
  observe(server: FastifyInstance): void {
    server.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      const labels = { method: request.method, route, status: String(reply.statusCode) };
      this.durations.observe(labels, reply.elapsedTime / 1000);
    });
  }

  /** All metrics in the Prometheus text format, as of the last second. */
  text(): Promise<string> {
    return this.made.get();
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }

  private async make(): Promise<string> {
    await withTimeout(this.measureLag(), MEASURED_WITHIN_MS, 'An engine is late').catch(
      () => undefined,
    );
    return this.registry.metrics();
  }

  private async measureLag(): Promise<void> {
    const head = await this.store.head();
    if (head === null) return;
    for (const { name, position } of this.inMemory.all) {
      this.behind.set(
        { reader: `follower_${name}` },
        distance(head, position === 'start' ? null : position),
      );
    }
    for (const name of PROJECTIONS) {
      const position = await this.readModel.positionOf(name);
      this.behind.set({ reader: `projection_${name}` }, distance(head, position));
    }
  }
}

function distance(head: string, position: string | null): number {
  const behind = BigInt(digits(head)) - BigInt(digits(position ?? '0'));
  return Number(behind > 0n ? behind : 0n);
}

/**
 * Positions are zero-padded numbers; the first number of a compound one shows enough for a metric.
 */
function digits(position: string): string {
  return /^\d+/.exec(position)?.[0] ?? '0';
}
