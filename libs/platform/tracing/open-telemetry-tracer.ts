import { AsyncLocalStorage } from 'node:async_hooks';

import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

import { withTimeout } from '../clock/sleep.js';
import type { TracingSettings } from '../config/tracing-settings.js';
import { ChosenIds } from './chosen-ids.js';
import { jobTrace } from './job-trace.js';
import type { JobSpan, OpenSpan, SpanOptions, SpanParent, Tracer } from './tracer.port.js';

/** Spans that wait for the collector; further ones are dropped. */
const QUEUED_SPANS = 4_096;
const BATCH_SPANS = 512;
/** Pause between two exports, milliseconds. */
const EXPORT_EVERY_MS = 2_000;
/** Longest export, milliseconds. */
const EXPORT_TIMEOUT_MS = 5_000;
/** Longest wait for the last export, milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;
/** Maximum characters of an attribute. */
const ATTRIBUTE_CHARACTERS = 256;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** `traceparent` of W3C Trace Context, version 00. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Sends spans to a collector by OTLP over HTTP. It registers nothing globally, so that no library
 * sends spans of its own, which might contain prompts.
 */
export class OpenTelemetryTracer implements Tracer {
  readonly isEnabled = true;
  private readonly ids = new ChosenIds();
  private readonly active = new AsyncLocalStorage<Span>();
  private readonly root: TraceIdRatioBasedSampler;
  private readonly provider: TracerProvider;
  private readonly tracer: OtelTracer;

  constructor({ url, headers, serviceName, share }: TracingSettings) {
    this.root = new TraceIdRatioBasedSampler(share);
    const exporter = new OTLPTraceExporter({
      url,
      headers: { ...headers },
      timeoutMillis: EXPORT_TIMEOUT_MS,
    });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': serviceName,
        'service.instance.id': String(process.pid),
      }),
      idGenerator: this.ids,
      sampler: new ParentBasedSampler({ root: this.root }),
      spanLimits: { attributeValueLengthLimit: ATTRIBUTE_CHARACTERS },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: QUEUED_SPANS,
          maxExportBatchSize: BATCH_SPANS,
          scheduledDelayMillis: EXPORT_EVERY_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('footnote');
  }

  get isInSpan(): boolean {
    return this.active.getStore() !== undefined;
  }

  begin(name: string, { kind = 'internal', parent, attributes }: SpanOptions = {}): OpenSpan {
    const options = { kind: KINDS[kind], ...(attributes && { attributes }) };
    const span = this.tracer.startSpan(name, options, this.contextOf(parent ?? 'caller'));
    return {
      within: (work) => this.active.run(span, work),
      set: (more) => void span.setAttributes(more),
      end: (error) => {
        if (error !== undefined) fail(span, typeOf(error));
        span.end();
      },
    };
  }

  async span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = this.begin(name, options);
    try {
      const result = await span.within(work);
      span.end();
      return result;
    } catch (error) {
      span.end(error ?? 'unknown');
      throw error;
    }
  }

  recordJob({ jobId, from, to, failed, attributes }: JobSpan): void {
    const ids = jobTrace(jobId);
    const span = this.ids.during(ids, () =>
      this.tracer.startSpan('job', { startTime: from, attributes, root: true }, ROOT_CONTEXT),
    );
    if (failed) fail(span, 'job_failed');
    span.end(to);
  }

  async close(): Promise<void> {
    await withTimeout(this.provider.shutdown(), CLOSE_TIMEOUT_MS, 'The collector is late').catch(
      () => undefined,
    );
  }

  private contextOf(parent: SpanParent): Context {
    if (parent === 'caller') {
      const span = this.active.getStore();
      return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT;
    }
    const remote = 'job' in parent ? this.jobContext(parent.job) : callerOf(parent.traceparent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
  }

  /** The sampler decides by the trace id, so parts of a job are kept if its root is. */
  private jobContext(jobId: string): SpanContext {
    const ids = jobTrace(jobId);
    const { decision } = this.root.shouldSample(ROOT_CONTEXT, ids.traceId);
    const isKept = decision === SamplingDecision.RECORD_AND_SAMPLED;
    return {
      ...ids,
      traceFlags: isKept ? TraceFlags.SAMPLED : TraceFlags.NONE,
      isRemote: true,
    };
  }
}

function callerOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const context = { traceId, spanId, traceFlags: parseInt(flags, 16) & TraceFlags.SAMPLED };
  return isSpanContextValid(context) ? { ...context, isRemote: true } : undefined;
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the code or class of an error: its text may contain content. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : error.name;
}
