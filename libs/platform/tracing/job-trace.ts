import { createHash } from 'node:crypto';

/** Identifiers of OpenTelemetry, lower-case hex. */
export interface TraceIds {
  /** 32 digits. */
  readonly traceId: string;
  /** 16 digits. */
  readonly spanId: string;
}

/**
 * Returns the identifiers of a job's trace and of its root span. They depend on the job's id alone,
 * which events and stage messages have, so that processes agree without exchanging anything.
 */
export function jobTrace(jobId: string): TraceIds {
  const digest = createHash('sha256').update(`footnote:job:${jobId}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}
