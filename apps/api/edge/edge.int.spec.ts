import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness } from '#test/support/api/api-harness';

/** Headers of every answer. */
const SAFE = [
  "content-security-policy: default-src 'none';object-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none';require-trusted-types-for 'script'",
  'cache-control: no-store',
  'cross-origin-embedder-policy: require-corp',
  'cross-origin-opener-policy: same-origin',
  'cross-origin-resource-policy: same-origin',
  'referrer-policy: no-referrer',
  'x-content-type-options: nosniff',
  'x-frame-options: sameorigin',
];

describe('the HTTP edge', () => {
  let api: ApiHarness;
  let port: number;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await api.app.listen(0, '127.0.0.1');
    port = (api.app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(() => api.stop());

  /** Sends bytes as they are and returns everything that comes back until the server closes. */
  async function raw(bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.setEncoding('utf8');
    socket.write(bytes);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  it.each([
    ['a broken request line', 'GARBAGE\r\n\r\n', 400, 'bad_request'],
    [
      'a head over the limit',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a bad length',
      'POST /sources HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'both lengths',
      'POST /sources HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'bad_request',
    ],
    ['no Host', 'GET /sources HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    ['a head that never ends', 'GET /sources HTTP/1.1\r\nHost: x\r\n', 408, 'request_timeout'],
  ])(
    'answers %s in the one error shape',
    async (_, bytes, status, code) => {
      const answer = await raw(bytes);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, string>;
      expect(Object.keys(body).sort()).toEqual(['code', 'error', 'request_id']);
      expect(body['code']).toBe(code);
      expect(answer.toLowerCase()).toContain(`x-request-id: ${body['request_id']}`);
      for (const header of SAFE) expect(answer.toLowerCase()).toContain(`\r\n${header}\r\n`);
    },
    20_000,
  );

  it('refuses a body over the limit only after it has taken it, so that the client reads the answer', async () => {
    const size = 24 * 1024 * 1024;
    const head = `POST /sources HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n`;
    const socket = connect(port, '127.0.0.1');
    const broken: unknown[] = [];
    socket.setEncoding('utf8').on('error', (error) => broken.push(error));
    socket.write(`${head}Connection: close\r\n\r\n`);
    for (let sent = 0; sent < size; sent += 1024 * 1024)
      socket.write(Buffer.alloc(1024 * 1024, 'a'));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(broken).toEqual([]);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('"code":"body_too_large"');
  });

  it('takes over a sane request id and makes one otherwise', async () => {
    const withId = (id: string) =>
      api.call('GET', '/sources', undefined, { headers: { 'x-request-id': id } });
    expect((await withId('trace-1.a_B')).headers['x-request-id']).toBe('trace-1.a_B');
    for (const id of ['a b', 'x'.repeat(65), '', 'a\tb', '<script>']) {
      const made = (await withId(id)).headers['x-request-id'];
      expect(made).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('writes who did what into the metadata of events', async () => {
    const headers = { 'x-request-id': 'audit-me', 'user-agent': 'test\u00ff agent' };
    const body = { name: 'Audited', source_type: 'repo', url: 'https://example.com/a.git' };
    const { body: source } = await api.call<{ id: string }>('POST', '/sources', body, { headers });
    for await (const event of api.store.read(`source-${source.id}`)) {
      expect(event.metadata).toMatchObject({
        tenant_id: api.tenantA,
        actor: { type: 'api_key', name: 'test' },
        correlation_id: 'audit-me',
        http: {
          request_id: 'audit-me',
          method: 'POST',
          path: '/sources',
          user_agent: 'test? agent',
        },
      });
    }
  });

  it('sets the headers of safety', async () => {
    for (const url of [
      '/sources',
      '/nothing',
      '/health/live',
      '/%zz',
      `/${'x'.repeat(5_000)}`,
      '/docs',
    ]) {
      const { headers } = await api.call('GET', url);
      const reported = Object.entries(headers).map(([name, value]) =>
        `${name}: ${String(value)}`.toLowerCase(),
      );
      const expected =
        url === '/docs' ? SAFE.filter((header) => !/^(content-sec|cache-con)/.test(header)) : SAFE;
      expect(reported).toEqual(expect.arrayContaining(expected));
      for (const absent of [
        'x-powered-by',
        'server',
        'access-control-allow-origin',
        'strict-transport-security',
      ]) {
        expect(headers).not.toHaveProperty(absent);
      }
    }
    expect((await api.call('TRACE', '/sources')).status).toBe(404);
  });

  it('is alive, ready and measured without a key', async () => {
    const open = { key: null };
    expect((await api.call('GET', '/health/live', undefined, open)).body).toEqual({ status: 'ok' });
    expect((await api.call('GET', '/health/ready', undefined, open)).body).toMatchObject({
      status: 'ready',
    });
    await api.call('GET', `/sources/${api.tenantA}`);
    const metrics = await api.call('GET', '/metrics', undefined, open);
    expect(metrics.status).toBe(200);
    expect(metrics.text).toContain('route="/sources/:source_id",status="404"');
    expect(metrics.text).not.toContain(api.tenantA);
    expect(metrics.text).toMatch(/footnote_reader_behind_events\{reader="projection_sources"\} \d/);
  });

  it('repeats a keyed request, in any key order, and refuses another body under its key', async () => {
    const headers = { 'idempotency-key': 'create-1' };
    const body = { name: 'Once', source_type: 'repo', url: 'https://example.com/a.git' };
    const twins = await Promise.all(
      Array.from({ length: 8 }, () => api.call('POST', '/sources', body, { headers })),
    );
    expect(new Set(twins.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(twins[0]?.status).toBe(201);
    await api.call('PATCH', `/sources/${String(twins[0]?.body['id'])}`, { name: 'Changed since' });
    const { url, name, source_type } = body;
    const again = await api.call('POST', '/sources', { url, source_type, name }, { headers });
    expect(again.text).toBe(twins[0]?.text);
    const other = await api.call('POST', '/sources', { ...body, name: 'Other' }, { headers });
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const theirs = await api.call('POST', '/sources', body, { headers, key: api.keyB });
    expect(theirs.body['id']).not.toBe(twins[0]?.body['id']);
  });

  it('changes the policy field by field, guarded by its version', async () => {
    const first = await api.call('GET', '/policy');
    expect(first.body).toMatchObject({
      id: 'default',
      name: 'default',
      staleness_budget_days: 30,
      enforce_refusal: false,
    });
    const changed = await api.call('PUT', '/policy', {
      source_priorities: { repo: 2.5 },
      staleness_budget_seconds: 86_400,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        source_priorities: { repo: 2.5, docs_html: 0.8, docs_openapi: 1.2 },
        staleness_budget_days: 1,
      },
    });
    expect(changed.body['updated_at']).not.toBe(first.body['updated_at']);
    expect((await api.call('GET', '/policy')).body).toEqual(changed.body);
    const late = { headers: { 'if-match': String(first.headers['etag']) } };
    expect(await api.call('PUT', '/policy', { enforce_refusal: true }, late)).toMatchObject({
      status: 412,
      body: { code: 'policy_changed' },
    });
    const current = { headers: { 'if-match': String(changed.headers['etag']) } };
    expect((await api.call('POST', '/policy/reset', undefined, current)).body).toMatchObject({
      source_priorities: { repo: 1 },
      staleness_budget_days: 30,
    });
    expect((await api.call('GET', '/policy', undefined, { key: api.keyB })).body).toMatchObject({
      staleness_budget_days: 30,
    });
  });
});
