/** Values of a span. Never content: no query, text, path, name or key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Position of a span in its trace. */
export type SpanParent =
  /** The span around the caller; a new trace if there is none. */
  | 'caller'
  /** The trace of a job, which every process derives from the id. */
  | { readonly job: string }
  /** A span of another service, as a `traceparent` header; a new trace if it is malformed. */
  | { readonly traceparent: string | undefined };

export interface SpanOptions {
  /**
   * `server` answers a request of another process, `client` waits for another one.
   * @default internal
   */
  readonly kind?: 'server' | 'client' | 'internal';
  /** @default caller */
  readonly parent?: SpanParent;
  readonly attributes?: SpanAttributes;
}

/** A span that has begun. It must be ended once. */
export interface OpenSpan {
  /** Calls `work`; spans that it begins, also later, are children of this one. */
  within<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  /** Ends the span. @param error the reason of a failure; its type is recorded, not its text. */
  end(error?: unknown): void;
}

/** Extent of the root span of a job. */
export interface JobSpan {
  readonly jobId: string;
  readonly from: Date;
  readonly to: Date;
  readonly failed: boolean;
  readonly attributes: SpanAttributes;
}

/**
 * Records spans of requests, jobs and the work inside them. Never throws and never delays work: if
 * a collector is slow or away, spans are dropped.
 */
export interface Tracer {
  /** False if nothing is recorded. */
  readonly isEnabled: boolean;
  /** True while a span is around the caller. */
  readonly isInSpan: boolean;
  begin(name: string, options?: SpanOptions): OpenSpan;
  /** Runs `work` in a span of its own, which fails if the work does. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Records the root span of a job that has ended. */
  recordJob(span: JobSpan): void;
  /** Sends recorded spans, for at most five seconds. */
  close(): Promise<void>;
}
