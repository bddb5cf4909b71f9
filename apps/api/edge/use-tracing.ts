import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { OpenSpan, Tracer } from '#platform';

/**
 * Records one span for each request, named by its route, with the status of the answer. A request
 * with a `traceparent` continues the trace of its sender. Health checks and metrics are left out.
 */
export function useTracing(server: FastifyInstance, tracer: Tracer): void {
  if (!tracer.isEnabled) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  server.addHook('onRequest', (request, { raw }, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (route.startsWith('/health') || route === '/metrics') return void done();
    const { traceparent } = request.headers;
    const span = tracer.begin(`${request.method} ${route}`, {
      kind: 'server',
      parent: { traceparent: typeof traceparent === 'string' ? traceparent : undefined },
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'footnote.request_id': request.id,
      },
    });
    spans.set(request, span);
    // It comes after answers and streams, and when the client leaves before.
    raw.once('close', () => finish(span, raw.statusCode));
    span.within(done);
  });
  // The body arrives in the context of its connection, so the handler is put back into the span.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
}

/** A failed request is one that the service could not answer; 4xx are answers. */
function finish(span: OpenSpan, status: number): void {
  span.set({ 'http.response.status_code': status });
  span.end(status >= 500 ? String(status) : undefined);
}
