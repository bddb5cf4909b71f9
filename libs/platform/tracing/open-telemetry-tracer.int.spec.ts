import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type CollectedSpan, TraceCollector } from '#test/support/trace-collector';

import { jobTrace } from './job-trace.js';
import { OpenTelemetryTracer } from './open-telemetry-tracer.js';

const JOB = '0190a0b0-0000-7000-8000-000000000001';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const FAILED = 2;

describe('OpenTelemetryTracer', () => {
  let collector: TraceCollector;

  beforeEach(async () => {
    collector = await TraceCollector.start();
  });
  afterEach(() => collector.stop());

  const tracer = (share = 1, url = `${collector.url}/v1/traces`) =>
    new OpenTelemetryTracer({ url, headers: { 'x-team': 'docs' }, serviceName: 'here', share });
  const named = (name: string): CollectedSpan | undefined =>
    collector.spans.find((span) => span.name === name);

  it('sends spans with their parents, also of work that continues later', async () => {
    const opened = tracer();
    const request = opened.begin('request', { kind: 'server', attributes: { count: 3 } });
    await request.within(async () => {
      await Promise.resolve();
      expect(opened.isInSpan).toBe(true);
      await opened.span('child', {}, () => opened.span('grandchild', {}, async () => undefined));
    });
    request.end();
    expect(opened.isInSpan).toBe(false);
    await opened.close();

    const [parent, child] = [named('request'), named('child')];
    expect(parent).toMatchObject({ kind: 2, attributes: { count: 3 } });
    expect(parent?.parentSpanId).toBeUndefined();
    expect(child).toMatchObject({ traceId: parent?.traceId, parentSpanId: parent?.spanId });
    expect(named('grandchild')?.parentSpanId).toBe(child?.spanId);
    expect(collector.headers['x-team']).toBe('docs');
    expect(collector.text).toContain('"service.name"');
  });

  it('continues the trace of a caller, and begins one if its header is malformed', async () => {
    const opened = tracer();
    const headers = [`00-${TRACE}-${PARENT}-01`, `00-${'0'.repeat(32)}-${PARENT}-01`, 'zz', ''];
    for (const [at, traceparent] of headers.entries())
      opened.begin(`request ${at}`, { parent: { traceparent } }).end();
    opened.begin('unwanted', { parent: { traceparent: `00-${TRACE}-${PARENT}-00` } }).end();
    await opened.close();

    expect(named('request 0')).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    for (const name of ['request 1', 'request 2', 'request 3']) {
      expect(named(name)?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(named(name)?.parentSpanId).toBeUndefined();
    }
    expect(named('unwanted')).toBeUndefined();
  });

  it('puts the parts of a job, from any process, below its root', async () => {
    const [first, second] = [tracer(), tracer()];
    await first.span('stage fetch', { parent: { job: JOB } }, async () => undefined);
    await second.span('stage parse', { parent: { job: JOB } }, async () => undefined);
    const from = new Date('2026-01-01T00:00:00Z');
    const to = new Date('2026-01-01T00:00:05Z');
    second.recordJob({ jobId: JOB, from, to, failed: true, attributes: { outcome: 'x' } });
    await Promise.all([first.close(), second.close()]);

    const { traceId, spanId } = jobTrace(JOB);
    expect(named('job')).toMatchObject({ traceId, spanId, status: { code: FAILED } });
    for (const name of ['stage fetch', 'stage parse'])
      expect(named(name)).toMatchObject({ traceId, parentSpanId: spanId });
  });

  it('records the type of an error, not its text', async () => {
    const opened = tracer();
    const failing = opened.span('work', {}, () => Promise.reject(new RangeError('a secret path')));
    await expect(failing).rejects.toThrow('a secret path');
    await opened.close();

    expect(named('work')).toMatchObject({
      status: { code: FAILED },
      attributes: { 'error.type': 'RangeError' },
    });
    expect(collector.text).not.toContain('secret');
  });

  it('records whole jobs or nothing of them, by the configured share', async () => {
    const jobs = Array.from({ length: 200 }, (_, at) => `job-${at}`);
    const opened = tracer(0.5);
    for (const jobId of jobs) {
      await opened.span(`stage of ${jobId}`, { parent: { job: jobId } }, async () => undefined);
      const at = new Date();
      opened.recordJob({ jobId, from: at, to: at, failed: false, attributes: { id: jobId } });
    }
    await opened.close();

    const roots = collector.spans.filter(({ name }) => name === 'job');
    expect(roots.length).toBeGreaterThan(50);
    expect(roots.length).toBeLessThan(150);
    const whole = roots.map(({ attributes }) => `stage of ${String(attributes['id'])}`).sort();
    const stages = collector.spans.flatMap(({ name }) => (name === 'job' ? [] : [name])).sort();
    expect(stages).toEqual(whole);
  });

  it('drops spans when the collector is away, and ends without an error', async () => {
    const opened = tracer(1, 'http://127.0.0.1:9/v1/traces');
    for (let count = 0; count < 10_000; count += 1) opened.begin('lost').end();
    await expect(opened.close()).resolves.toBeUndefined();
  });
});
