import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { jobTrace } from '#platform/tracing/job-trace';
import { TestRepository } from '#test/support/git-repository';
import { type CollectedSpan, TraceCollector } from '#test/support/trace-collector';
import { TwoTenantService } from '#test/support/two-tenants';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const STAGES = ['fetch', 'parse', 'chunk', 'embed', 'index'];

/** Words that must not leave the service. */
const QUERY = 'wheretosleep';
const CONTENT = 'hammockcanary';
const PATH = 'gardenpath.ts';
const NAME = 'Secretorchard';

describe('traces', () => {
  let collector: TraceCollector;
  let service: TwoTenantService;
  let jobId: string;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    service = await TwoTenantService.start({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
    const files = { [PATH]: `/** ${CONTENT} */\nexport const place = '${CONTENT}';\n` };
    const repository = TestRepository.create(`${service.scratch}/${NAME}`, files);
    const { id } = await service.first.createRepo(NAME, repository.url);
    jobId = await service.first.sync(id);
    await service.first.finished(jobId);
    const traceparent = `00-${TRACE}-${CALLER}-01`;
    const body = { query: `${QUERY} ${CONTENT}` };
    const { status } = await service.first.call('POST', '/search', body, { traceparent });
    expect(status).toBe(200);
    await service.first.call('GET', `/search?query=${QUERY}&unknown_field=1`);
  }, 180_000);
  afterAll(async () => {
    await service.dispose();
    await collector.stop();
  });

  const childrenOf = (spans: readonly CollectedSpan[], parent: CollectedSpan) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId).map(({ name }) => name);

  it('shows a request of a caller with its engines as one trace', async () => {
    const spans = await collector.until(({ name }) => name === 'POST /search');
    const request = spans.find(({ name }) => name === 'POST /search') as CollectedSpan;
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/search',
        'http.response.status_code': expect.anything() as unknown,
      },
    });
    const children = childrenOf(spans, request);
    for (const name of ['search_index.ranked', 'search_index.contents', 'event_store.append'])
      expect(children).toContain(name);
  });

  it('shows all stages of a job below its root, with the request that asked for it', async () => {
    const { traceId, spanId } = jobTrace(jobId);
    const isRoot = (span: CollectedSpan) => span.name === 'job' && span.spanId === spanId;
    const spans = await collector.until(isRoot);
    const root = spans.find(isRoot) as CollectedSpan;
    expect(root.traceId).toBe(traceId);
    expect(root.attributes).toMatchObject({ 'footnote.outcome': 'JobCompleted' });
    for (const stage of STAGES) expect(childrenOf(spans, root)).toContain(`stage ${stage}`);
    const request = spans.find(({ name }) => name === 'POST /sources/:source_id/sync');
    expect(request?.attributes['footnote.request_id']).toBe(
      root.attributes['footnote.correlation_id'],
    );
  });

  it('shows projections, and answers to bad input without an error', async () => {
    await collector.until(({ name }) => name === 'projection sources');
    const spans = await collector.until(({ name }) => name === 'GET /search');
    expect(spans.find(({ name }) => name === 'GET /search')?.status?.code ?? 0).toBe(0);
  });

  it('contains no query, text, path, name or key', async () => {
    await collector.until(({ name }) => name === 'GET /search');
    for (const secret of [QUERY, CONTENT, PATH, NAME, service.key, service.secondKey])
      expect(collector.text).not.toContain(secret);
  });
});
