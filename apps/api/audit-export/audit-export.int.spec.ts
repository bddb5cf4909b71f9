import { get, type IncomingMessage } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { auditRecord, type ExportReport, NO_LEAF, parseVerifierKey, verifyExport } from '#audit';
import type { AuditKeyList, CheckpointView } from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { httpClientOf } from '#test/support/api/http-client';
import { keysUsed } from '#test/support/api/keys-used';
import { mutations } from '#test/support/audit-mutations';
import { readLog } from '#test/support/read-log';
import { proposed } from '#test/support/sample-events';

import { ExportConcurrency, EXPORTS_PER_TENANT } from './export-concurrency.js';

interface Line {
  readonly seq: number;
  readonly id?: string;
  readonly action?: string;
  readonly hashes?: readonly string[];
  readonly manifest?: Record<string, unknown>;
}

describe('GET /audit/export', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await keysUsed(api);
    const body = { name: '=cmd()', source_type: 'repo', url: 'https://example.com/a.git' };
    await api.call('POST', '/sources', body);
    for (let seconds = 60; seconds < 64; seconds += 1)
      for (const key of [api.keyA, api.keyB])
        await api.call('PUT', '/policy', { staleness_budget_seconds: seconds }, { key });
    // More records than a page.
    await lists(api.tenantA, 300);
    await api.call('PUT', '/policy', { staleness_budget_seconds: 90 });
  });
  afterAll(() => api.stop());

  /** Appends events that no other projection reads. */
  const lists = async (tenant: string, count: number, userAgent = 'test') => {
    const http = { request_id: 'r', user_agent: userAgent, method: 'GET', path: '/keys' };
    const data = { hour: '2026-01-02T03:00:00.000Z' };
    const events = Array.from({ length: count }, () =>
      proposed({ type: 'KeysListed', data }, { tenant_id: tenant, http }),
    );
    await api.store.append(`read-${unknownId()}`, events, 'none');
  };
  const take = async (query = '', key = api.keyA) => {
    const answer = await api.call('GET', `/audit/export${query}`, undefined, { key });
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    return answer;
  };
  const linesOf = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const verify = async (text: string, terms = {}): Promise<ExportReport> =>
    verifyExport([Buffer.from(text)], terms);
  /** Waits until every started export has its end. */
  const ends = async () => {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const log = await readLog(api.store);
      const started = log.filter(({ type }) => type === 'AuditExportStarted');
      const ended = log.filter(({ type }) => type === 'AuditExportEnded');
      if (started.length === ended.length) return ended;
      if (Date.now() > deadline) throw new Error('an export has no end');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('returns every event of the tenant up to its own start, and verifies', async () => {
    for (const [tenant, key] of [
      [api.tenantA, api.keyA],
      [api.tenantB, api.keyB],
    ] as const) {
      await ends();
      const { text, headers } = await take('', key);
      expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
      const log = await readLog(api.store);
      const own = log.filter(({ metadata }) => metadata.tenant_id === tenant);
      const start = own.findLastIndex(({ type }) => type === 'AuditExportStarted');
      const events = own.slice(0, start + 1);
      const report = await verify(text);
      expect(report).toMatchObject({
        valid: true,
        records: events.length,
        size: events.length,
        checkpoint: 'none',
        unchecked_changes: 0,
      });
      const lines = linesOf(text);
      expect(lines.slice(0, -1).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      let prevHash = NO_LEAF;
      for (const [seq, event] of events.entries())
        prevHash = auditRecord(event, { seq, prevHash, changes: [] }).hash;
      expect(lines.at(-2)).toMatchObject({ hash: prevHash });
      const name = `audit-${tenant}-${events.length}.ndjson`;
      expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
    }
  });

  it('shows the newest signed checkpoint, and one that was kept verifies it', async () => {
    const { body: kept } = await api.call<CheckpointView>('POST', '/audit/checkpoints');
    const { body } = await api.call<AuditKeyList>('GET', '/audit/keys');
    const keys = body.keys.map(({ key }) => parseVerifierKey(key)).filter((key) => key !== null);
    const { text } = await take();
    const terms = { keys, checkpoints: [kept.checkpoint] };
    expect(await verify(text, terms)).toMatchObject({ valid: true, checkpoint: 'signed' });
    expect(linesOf(text).at(-1)?.manifest).toMatchObject({ checkpoint: kept.checkpoint });
    const other = await take('', api.keyB);
    expect(await verify(other.text, terms)).toMatchObject({
      valid: false,
      first_break: { kind: 'checkpoint' },
    });
  });

  it.each([
    ['action=policy.*', ({ action }: Line) => action?.startsWith('policy.') === true],
    ['actor_type=operator', () => false],
    ['after=4', ({ seq }: Line) => seq > 4],
    ['after=4&action=policy.*', ({ seq, action }: Line) => seq > 4 && action === 'policy.updated'],
    ['to=2020-01-01T00:00:00Z', () => false],
  ])('proves the records that %s selects by the hashes of the others', async (query, matches) => {
    const { text } = await take(`?${query}`);
    const lines = linesOf(text);
    const records = lines.filter(({ id }) => id !== undefined);
    expect(records.every((record) => matches(record))).toBe(true);
    const filters = Object.fromEntries(new URLSearchParams(query));
    const report = await verify(text);
    expect(report).toMatchObject({ valid: true, records: records.length });
    expect(lines.at(-1)?.manifest).toMatchObject({ filters, size: report.size });
    const whole = linesOf((await take()).text).slice(0, report.size);
    expect(records).toEqual(whole.filter((line) => line.id !== undefined && matches(line)));
  });

  it('omits data and context, and still verifies', async () => {
    const { text } = await take('?omit=data,context');
    expect(await verify(text)).toMatchObject({ valid: true });
    const [first = {}] = linesOf(text);
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining(['data_sha256', 'context_sha256', 'action']),
    );
    for (const member of ['data', 'context', 'changes', 'targets'])
      expect(first).not.toHaveProperty(member);
  });

  it('returns the same records as CSV and as OCSF', async () => {
    const { text } = await take('?action=policy.updated');
    const records = linesOf(text).filter(({ id }) => id !== undefined);
    const csv = await take('?action=policy.updated&format=csv');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.headers['content-disposition']).toMatch(/\.csv"$/);
    const rows = csv.text.split('\r\n');
    expect(rows[0]).toMatch(/^seq,id,occurred_at/);
    expect(rows.slice(1, -1).map((row) => row.split(',', 2))).toEqual(
      records.map(({ seq, id }) => [String(seq), id]),
    );
    const ocsf = await take('?action=policy.updated&format=ocsf');
    expect(
      linesOf(ocsf.text).map((line) => (line as unknown as OcsfLine).metadata.sequence),
    ).toEqual(records.map(({ seq }) => seq));
    const escaped = await take('?format=csv&omit=data&target_type=key&target_id=%3D1');
    expect(escaped.text.split('\r\n')).toHaveLength(2);
  });

  it.each([
    ['format=xml', 'format'],
    ['omit=hash', 'omit'],
    ['omit=data,data', 'omit'],
    ['after=-1', 'after'],
    ['action=nothing', 'action'],
    ['target_id=x', 'target_type'],
    ['limit=10', 'limit'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await api.call('GET', `/audit/export?${query}`);
    expect([status, body['code']]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(body['details'])).toContain(`"${field}"`);
  });

  it('detects mutations of an export', async () => {
    const { text } = await take('?omit=context');
    const lines = text.split(/(?<=\n)/);
    const report = await verify(text);
    expect(report.valid).toBe(true);
    // As somebody who kept the root outside would verify.
    const missed: string[] = [];
    // `npm run bench -- audit --only mutations` tries 10,000.
    for (const { kind, from, rest } of mutations(lines, 200, 7)) {
      const altered = Buffer.concat([Buffer.from(lines.slice(0, from).join('')), rest]);
      const { valid, root } = await verifyExport([altered]);
      if (valid && root === report.root) missed.push(kind);
    }
    expect(missed).toEqual([]);
  });

  it('runs two exports of a tenant at once', async () => {
    await ends();
    const slots = api.app.get(ExportConcurrency);
    const held = Array.from({ length: EXPORTS_PER_TENANT }, () => slots.take(api.tenantA));
    const { status, headers, body } = await api.call('GET', '/audit/export');
    expect([status, body['code'], headers['retry-after']]).toEqual([429, 'rate_limited', '15']);
    await take('?format=csv', api.keyB);
    held.forEach((release) => release());
    await take();
  });

  it('ends with its client and records how many records it read', async () => {
    // More than the buffers of both sockets.
    for (let at = 0; at < 50; at += 1) await lists(api.tenantB, 2, 'x'.repeat(200_000));
    const before = (await ends()).length;
    const { port } = await httpClientOf(api);
    const headers = { authorization: `Bearer ${api.keyB}` };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: '127.0.0.1', path: '/audit/export', headers }, resolve).on('error', reject);
    });
    expect(response.statusCode).toBe(200);
    response.destroy();
    const ended = (await ends()).slice(before);
    expect(ended.map(({ data }) => data['end'])).toEqual(['client_aborted']);
    expect(Number(ended[0]?.data['records'])).toBeLessThan(100);
    expect((await verify((await take('', api.keyB)).text)).valid).toBe(true);
  });

  it('answers HEAD without content', async () => {
    const { status, text, headers } = await api.call('HEAD', '/audit/export?format=csv');
    expect([status, text, headers['content-type']]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8; header=present',
    ]);
    await ends();
  });
});

interface OcsfLine {
  readonly metadata: { readonly sequence: number };
}
