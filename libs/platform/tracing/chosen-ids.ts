import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

import type { TraceIds } from './job-trace.js';

/** Random identifiers, except for one span at a time. */
export class ChosenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private chosen: TraceIds | undefined;

  /** Calls `begin`, which must begin one span synchronously; it gets these identifiers. */
  during<T>(ids: TraceIds, begin: () => T): T {
    this.chosen = ids;
    try {
      return begin();
    } finally {
      this.chosen = undefined;
    }
  }

  // The SDK calls both without a receiver.
  readonly generateTraceId = (): string => this.chosen?.traceId ?? this.random.generateTraceId();
  readonly generateSpanId = (): string => this.chosen?.spanId ?? this.random.generateSpanId();
}
