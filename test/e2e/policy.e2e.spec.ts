import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { PolicyView } from '#contracts/http/index';
import { TwoTenantService } from '#test/support/two-tenants';

const DEFAULTS = {
  id: 'default',
  name: 'default',
  staleness_budget_seconds: 2_592_000,
  staleness_budget_days: 30,
  source_priorities: { repo: 1, docs_html: 0.8, docs_openapi: 1.2 },
  min_evidence_count: 1,
  min_evidence_score: 0.3,
  enforce_staleness: true,
  enforce_refusal: false,
};

/** Each change with the settings that it, alone, leaves. */
const CHANGES: readonly (readonly [change: object, effect: object])[] = [
  [
    { staleness_budget_seconds: 90_000 },
    { staleness_budget_seconds: 90_000, staleness_budget_days: 1 },
  ],
  [
    { source_priorities: { repo: 2.5 } },
    { source_priorities: { repo: 2.5, docs_html: 0.8, docs_openapi: 1.2 } },
  ],
  [
    { source_priorities: { docs_html: 0 } },
    { source_priorities: { repo: 1, docs_html: 0, docs_openapi: 1.2 } },
  ],
  [
    { source_priorities: { docs_openapi: 5 } },
    { source_priorities: { repo: 1, docs_html: 0.8, docs_openapi: 5 } },
  ],
  [{ min_evidence_count: 7 }, { min_evidence_count: 7 }],
  [{ min_evidence_score: 0.75 }, { min_evidence_score: 0.75 }],
  [{ enforce_staleness: false }, { enforce_staleness: false }],
  [{ enforce_refusal: true }, { enforce_refusal: true }],
];

describe('policy', () => {
  let service: TwoTenantService;

  beforeAll(async () => {
    service = await TwoTenantService.start();
  }, 120_000);
  afterEach(async () => {
    await service.first.expect('POST', '/policy/reset');
  });
  afterAll(() => service.dispose());

  const read = () => service.first.call<PolicyView>('GET', '/policy');
  const put = (changes: object, headers?: Record<string, string>) =>
    service.first.call<PolicyView & { code: string }>('PUT', '/policy', changes, headers);
  const settingsOf = ({ created_at, updated_at, ...settings }: PolicyView): object => {
    expect([created_at, updated_at].map((time) => new Date(time).toISOString())).toEqual([
      created_at,
      updated_at,
    ]);
    return settings;
  };

  it('has the defaults of the interface until somebody changes it', async () => {
    expect(settingsOf((await read()).body)).toEqual(DEFAULTS);
    expect(settingsOf(await service.second.expect<PolicyView>('GET', '/policy'))).toEqual(DEFAULTS);
  });

  it.each(CHANGES)('changes by %j nothing else', async (change, effect) => {
    const changed = await put(change);
    expect(changed.status).toBe(200);
    expect(settingsOf(changed.body)).toEqual({ ...DEFAULTS, ...effect });
    expect((await read()).body).toEqual(changed.body);
    expect(settingsOf(await service.second.expect<PolicyView>('GET', '/policy'))).toEqual(DEFAULTS);
  });

  it('keeps earlier changes, and moves updated_at but not created_at', async () => {
    const before = (await put({ min_evidence_count: 3 })).body;
    const after = (await put({ source_priorities: { repo: 0.5 }, min_evidence_score: 0 })).body;
    expect(after).toMatchObject({
      min_evidence_count: 3,
      min_evidence_score: 0,
      created_at: before.created_at,
    });
    expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const last = (await put({ min_evidence_count: 4 })).body;
    expect(Date.parse(last.updated_at)).toBeGreaterThan(Date.parse(after.updated_at));
  });

  it.each([
    ['staleness_budget_seconds', 60, 31_536_000, [59, 31_536_001, 90.5]],
    ['min_evidence_count', 0, 100, [-1, 101, 1.5]],
    ['min_evidence_score', 0, 1, [-0.01, 1.01]],
    ['enforce_staleness', false, true, ['true', 1, null]],
    ['enforce_refusal', false, true, ['false', 0, null]],
  ])('takes %s from %p to %p alone', async (field, least, most, refused) => {
    for (const value of [least, most])
      expect((await put({ [field]: value })).body).toMatchObject({ [field]: value });
    for (const value of refused) {
      const { status, body } = await put({ min_evidence_count: 50, [field]: value });
      expect([value, status, body.code]).toEqual([value, 400, 'validation_failed']);
    }
    expect((await read()).body).toMatchObject({ [field]: most });
  });

  it('takes priorities from 0 to 5 alone', async () => {
    for (const kind of ['repo', 'docs_html', 'docs_openapi'] as const) {
      for (const value of [0, 5]) {
        expect(
          (await put({ source_priorities: { [kind]: value } })).body.source_priorities[kind],
        ).toBe(value);
      }
      for (const value of [-0.1, 5.1, '1']) {
        expect((await put({ source_priorities: { [kind]: value } })).status).toBe(400);
      }
    }
    expect((await put({ source_priorities: { pdf: 1 } })).status).toBe(400);
    expect((await put({ staleness_budget_days: 3 })).status).toBe(400);
    expect((await put({ id: 'mine' })).status).toBe(400);
  });

  it('is changed under If-Match only as long as it is the one that was read', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    const changed = await put({ min_evidence_count: 2 }, { 'if-match': etag });
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
    const late = await put({ min_evidence_count: 9 }, { 'if-match': etag });
    expect([late.status, late.body.code]).toEqual([412, 'policy_changed']);
    const lateReset = await service.first.call('POST', '/policy/reset', undefined, {
      'if-match': etag,
    });
    expect(lateReset.status).toBe(412);
    expect((await read()).body.min_evidence_count).toBe(2);
    expect((await put({ min_evidence_count: 5 }, { 'if-match': '*' })).status).toBe(200);
    expect((await put({ min_evidence_count: 6 }, { 'if-match': 'yesterday' })).status).toBe(400);
  });

  it('loses no field of simultaneous changes', async () => {
    const changes = [
      ...[
        { staleness_budget_seconds: 120 },
        { min_evidence_count: 11 },
        { min_evidence_score: 0.5 },
      ],
      ...[
        { enforce_staleness: false },
        { enforce_refusal: true },
        { source_priorities: { repo: 3 } },
      ],
      ...[{ source_priorities: { docs_html: 2 } }, { source_priorities: { docs_openapi: 0.1 } }],
    ];
    const answers = await Promise.all(changes.map((change) => put(change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(settingsOf((await read()).body)).toEqual({
      ...DEFAULTS,
      staleness_budget_seconds: 120,
      staleness_budget_days: 0,
      source_priorities: { repo: 3, docs_html: 2, docs_openapi: 0.1 },
      min_evidence_count: 11,
      min_evidence_score: 0.5,
      enforce_staleness: false,
      enforce_refusal: true,
    });
  });

  it('lets one of simultaneous changes under the same If-Match through', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    const answers = await Promise.all(
      [21, 22, 23, 24, 25, 26].map((count) =>
        put({ min_evidence_count: count }, { 'if-match': etag }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 412, 412, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200)?.body.min_evidence_count;
    expect((await read()).body.min_evidence_count).toBe(winner);
  });

  it('is put at its defaults by a reset', async () => {
    for (const [change] of CHANGES) await put(change);
    const reset = await service.first.expect<PolicyView>('POST', '/policy/reset');
    expect(settingsOf(reset)).toEqual(DEFAULTS);
    expect((await read()).body).toEqual(reset);
  });

  it('survives a crash, its version included', async () => {
    await put({ min_evidence_score: 0.42 });
    const before = await read();
    await service.crash();
    const after = await read();
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });
});
