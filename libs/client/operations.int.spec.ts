import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { scipIndex } from '#test/support/scip-index';

import { OPERATIONS } from './generated/operations.js';
import { createClient, every, type FootnoteClient, type Outcome } from './index.js';
import type { OperationShape } from './operation.types.js';

const PASSWORD = 'correct horse battery staple';

describe('the client', () => {
  let api: ApiHarness;
  let url: string;
  let client: FootnoteClient;
  let other: FootnoteClient;
  let shop: string;
  const seen = new Set<string>();

  beforeAll(async () => {
    api = await ApiHarness.start({
      environment: { AUTH_REGISTRATION: 'true', ALLOW_PRIVATE_NETWORKS: 'true' },
    });
    await api.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(api.app.getHttpServer().address() as AddressInfo).port}`;
    client = createClient({ url, apiKey: api.keyA, fetch: recording() });
    other = createClient({ url, apiKey: api.keyB });
    shop = await publish(
      api,
      [{ path: 'src/cart.py', content: 'def total_price(cart):\n    return sum(cart.prices)' }],
      { tenant: api.tenantA, name: 'Shop' },
    );
  });
  afterAll(() => api.stop());

  /** Returns a fetch that notes what it asks for, and keeps cookies as a browser does. */
  function recording(): typeof fetch {
    const cookies = new Map<string, string>();
    return async (input, init) => {
      const { pathname } = new URL(input);
      seen.add(`${init?.method ?? 'GET'} ${pathname}`);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(init?.headers as Record<string, string>), ...(cookie && { cookie }) };
      const response = await fetch(input, { ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      return response;
    };
  }

  /** Returns a PDF as a page uploads it. */
  function pdf(): Blob {
    return new Blob([new Uint8Array(writePdf([linesAt(72, 72, ['Manual of carts'])]))]);
  }

  async function codeOf(call: Promise<Outcome<never>>): Promise<string> {
    const outcome = (await call) as { ok: boolean; error?: { code: string } };
    return outcome.ok ? 'ok' : (outcome.error?.code ?? '');
  }

  it('reads sources, their files and their history', async () => {
    const path = { source_id: shop };
    expect((await client.sources.list()).sources.map(({ id }) => id)).toEqual([shop]);
    expect((await client.sources.get({ path })).name).toBe('Shop');
    const content = await client.sources.content({ path, query: { path: 'src/cart.py' } });
    expect(content.content).toContain('return sum');
    const tree = await client.sourceFiles.tree({ path });
    expect(tree.entries.map((entry) => entry.path)).toEqual(['src']);
    const outline = await client.sourceFiles.outline({ path, query: { path: 'src/cart.py' } });
    expect(outline.definitions).toEqual([]);
    const file = await client.sourceFiles.file({
      path,
      query: { path: 'src/cart.py', format: 'text' },
    });
    expect(file).toContain('def total_price');
    expect((await client.sources.history({ path })).entries.length).toBeGreaterThan(0);
    expect((await client.sources.diff({ path, query: { from: 1 } })).to).toBe(1);
    expect((await other.sources.list()).sources).toEqual([]);
    expect(await codeOf(other.sources.get.attempt({ path }) as never)).toBe('source_not_found');
  });

  it('changes sources, and cancels their jobs', async () => {
    const body = { name: 'Flask', source_type: 'repo', url: 'https://example.com/f.git' } as const;
    const source = await client.sources.create({ body });
    const path = { source_id: source.id };
    await client.sources.update({ path, body: { sync_interval_seconds: 600 } });
    const { job_id } = await client.sources.sync({ path });
    expect((await client.jobs.list({ query: { source_id: source.id } })).total).toBe(1);
    expect((await client.jobs.get({ path: { job_id } })).status).toBe('pending');
    expect((await client.jobs.cancel({ path: { job_id } })).status).toBe('cancelled');
    const events = [];
    for await (const event of client.streams.job(job_id)) events.push(event);
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'cancelled' } });
    const hook = await client.pushHooks.set({ path });
    const push = await client.pushHooks.push.attempt({ path, body: { ref: hook.url } });
    expect(push).toMatchObject({ ok: false });
    await client.pushHooks.remove({ path });
    await client.sources.remove({ path });
    const file = pdf();
    const uploaded = await client.sources.upload({ body: { file, name: 'Manual' } });
    expect(uploaded.name).toBe('Manual');
  });

  it('uploads, lists and removes SCIP indexes', async () => {
    const occurrences = [{ range: [0, 4, 15], symbol: 'scip-test . . . total_price().', roles: 1 }];
    const body = new Blob([scipIndex([{ path: 'src/cart.py', occurrences }])], {
      type: 'application/x-protobuf',
    });
    const path = { source_id: shop };
    const uploaded = await client.scip.upload({ path, query: { version_ref: 'commit-1' }, body });
    expect(uploaded).toMatchObject({ name: 'default', documents: 1, occurrences: 1 });
    const { indexes } = await client.scip.list({ path });
    expect(indexes).toMatchObject([{ name: 'default', current_documents: 1 }]);
    expect(await codeOf(other.scip.list.attempt({ path }) as never)).toBe('source_not_found');
    await client.scip.remove({ path, query: { name: 'default' } });
    expect((await client.scip.list({ path })).indexes).toEqual([]);
  });

  it('searches, with the receipt of each answer', async () => {
    const query = 'total_price of a cart';
    const { data, headers } = await client.search.post.full({ body: { query } });
    expect('results' in data && data.results[0]?.citation.path).toBe('src/cart.py');
    expect('results' in (await client.search.get({ query: { query, source_ids: [shop] } }))).toBe(
      true,
    );
    await client.search.rmh({ body: { query } });
    const receipt_id = headers.get('x-receipt-id') ?? '';
    expect((await client.receipts.get({ path: { receipt_id } })).id).toBe(receipt_id);
    const replay = await client.receipts.replay.full({ path: { receipt_id } });
    expect(replay.headers.get('x-replay-matches')).toBe('true');
    const code = { pattern: 'total_price' };
    expect((await client.codeSearch.get({ query: code })).count).toBe(1);
    expect((await client.codeSearch.post({ body: code })).count).toBe(1);
    const name = 'total_price';
    expect((await client.codeNavigation.definitions({ query: { name } })).count).toBe(0);
    expect((await client.codeNavigation.references({ query: { name } })).count).toBe(1);
    expect((await client.codeNavigation.symbols({ query: { query: 'tp' } })).count).toBe(0);
    const theirs = await other.search.post({ body: { query } });
    expect('results' in theirs).toBe(false);
  });

  it('searches packages, and links them', async () => {
    const named = { query: 'x', package_name: '../x', ecosystem: 'npm' } as const;
    expect(await codeOf(client.packages.get.attempt({ query: named }) as never)).toBe(
      'package_refused',
    );
    expect(await codeOf(client.packages.post.attempt({ body: named }) as never)).toBe(
      'package_refused',
    );
    const { packageNavigation } = client;
    const inPackage = { package_name: '../x', ecosystem: 'npm' } as const;
    const inRelease = { name: 'x', ...inPackage };
    for (const attempt of [
      packageNavigation.symbols.attempt({ query: named }),
      packageNavigation.definitions.attempt({ query: inRelease }),
      packageNavigation.references.attempt({ query: inRelease }),
      client.packageCode.get.attempt({ query: { ...inPackage, pattern: 'x' } }),
      client.packageCode.post.attempt({ body: { ...inPackage, pattern: 'x' } }),
      client.packageFiles.tree.attempt({ query: inPackage }),
      client.packageFiles.file.attempt({ query: { ...inPackage, path: 'x' } }),
    ])
      expect(await codeOf(attempt as never)).toBe('package_refused');
    expect((await client.packages.listGlobal()).total).toBe(0);
    const package_id = unknownId();
    const link_id = unknownId();
    expect(await codeOf(client.packages.getGlobal.attempt({ path: { package_id } }) as never)).toBe(
      'package_not_found',
    );
    const added = await client.packages.add.attempt({ body: { ecosystem: 'npm', name: '../x' } });
    expect(added).toMatchObject({ ok: false, error: { code: 'package_refused' } });
    expect((await client.packages.listLinks()).total).toBe(0);
    expect(await codeOf(client.packages.removeLink.attempt({ path: { link_id } }) as never)).toBe(
      'package_link_not_found',
    );
  });

  it('starts, reads and cancels research', async () => {
    const { id } = await client.rover.create({ body: { question: 'How are carts priced?' } });
    const path = { rover_job_id: id };
    expect((await client.rover.list()).total).toBe(1);
    expect((await client.rover.get({ path })).status).toBe('pending');
    expect(await codeOf(client.rover.verify.attempt({ path }) as never)).toBe(
      'rover_job_not_completed',
    );
    expect((await client.rover.cancel({ path })).status).toBe('cancelled');
    const events = [];
    for await (const { event } of client.streams.rover(id)) events.push(event);
    expect(events.at(-1)).toBe('done');
  });

  it('manages keys, the policy and webhooks', async () => {
    const key = await client.keys.create({ body: { name: 'ci', scopes: ['read'] } });
    await client.keys.revoke({ path: { key_id: key.id } });
    const names: string[] = [];
    for await (const each of every(client.keys.list, 'keys', { query: { limit: 1 } })) {
      names.push(each.name);
    }
    expect(names.sort()).toEqual(['ci', 'test']);
    const before = await client.policy.get();
    await client.policy.update({ body: { min_evidence_count: 2 } });
    await client.policy.reset();
    await client.policy.rollback({ body: { revision: 0 } });
    const history = await client.policy.history();
    expect(history.entries.length).toBeGreaterThan(0);
    await client.policy.diff({ query: { from_seq: 1 } });
    await client.policySimulation.simulate({ body: { policy: { min_evidence_count: 3 } } });
    expect(before.min_evidence_count).not.toBe(2);
    expect((await client.policy.get()).min_evidence_count).toBe(2);
    const body = { name: 'hook', url: 'https://hooks.example.com/x' };
    const webhook = await client.webhooks.create({ body });
    const path = { webhook_id: webhook.id };
    expect((await client.webhooks.list()).webhooks).toHaveLength(1);
    await client.webhooks.get({ path });
    await client.webhooks.update({ path, body: { name: 'other' } });
    const event = await client.webhooks.test({ path });
    expect(event.event_id).toMatch(/^[0-9a-f-]{36}$/);
    await client.webhooks.rotate({ path });
    await client.webhooks.deliveries({ path });
    const event_id = unknownId();
    expect(
      await codeOf(client.webhooks.redeliver.attempt({ path: { ...path, event_id } }) as never),
    ).toBe('audit_event_not_found');
    await client.webhooks.remove({ path });
  });

  it('reads the audit trail, its proofs and the feed', async () => {
    const newest = await client.audit.list({ query: { limit: 3 } });
    const [first] = newest.events;
    expect(newest.events).toHaveLength(3);
    await client.audit.get({ path: { event_id: first?.id ?? '' } });
    const seqs: number[] = [];
    for await (const { seq } of every(client.audit.list, 'events', { query: { limit: 2 } })) {
      seqs.push(seq);
      if (seqs.length === 5) break;
    }
    expect(new Set(seqs).size).toBe(5);
    const { checkpoint } = await client.auditProofs.sign();
    await client.auditProofs.checkpoints();
    await client.auditProofs.keys();
    await client.auditProofs.proof({ query: { seq: 1 } });
    await client.auditProofs.consistency({ query: { from: 1 } });
    await client.auditProofs.verify();
    await client.auditProofs.verifyCheckpoint({ body: { checkpoint } });
    expect(await client.auditLog.checkpoint()).toContain('\n');
    const tile = await client.auditLog.tile({ path: { path: '0/000.p/1' } });
    expect(tile.size).toBe(32);
    const trail = await client.auditExport.export();
    expect((await trail.text()).split('\n').length).toBeGreaterThan(5);
    const feed = await client.feed.list({ query: { limit: 2 } });
    expect('events' in feed && feed.events).toHaveLength(2);
    for await (const event of client.streams.events()) {
      expect(event).toMatchObject({ id: expect.stringMatching(/^\d+$/) as unknown });
      break;
    }
  });

  it('reads figures, quotas and public pages', async () => {
    for (const name of ['searches', 'noEvidence', 'staleHits', 'usage', 'jobs'] as const) {
      expect(Array.isArray((await client.analytics[name]()).buckets)).toBe(true);
    }
    expect((await client.quota.get()).plan).toBeTruthy();
    await client.quota.usage();
    await client.health.live();
    await client.health.ready();
    expect(await client.metrics.text()).toContain('# HELP');
    await client.root.root();
    await client.schemas.asyncApi();
    await client.schemas.schema({ path: { event_type: 'SourceRegistered', version: 1 } });
  });

  it('sends messages of the Model Context Protocol', async () => {
    const answer = await client.mcp.post({ body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    expect(JSON.stringify(answer)).toContain('jsonrpc');
    const metadata = client.resourceMetadata.metadata();
    await expect(metadata).rejects.toMatchObject({ code: 'not_found' });
  });

  it('acts for a signed-in person', async () => {
    const fetch = recording();
    const email = 'owner@example.com';
    const anonymous = createClient({ url, fetch });
    const body = { email, password: PASSWORD, tenant_name: 'Zoo' };
    expect(await anonymous.auth.methods()).toMatchObject({ password: true });
    const { csrf_token } = await anonymous.auth.register({ body });
    const person = createClient({ url, fetch, headers: { 'x-csrf-token': csrf_token } });
    expect((await person.auth.show()).email).toBe(email);
    await person.auth.update({ body: { display_name: 'Owner' } });
    const { conversation, words } = await chat(person);
    expect(words).toBe('done');
    const path = { conversation_id: conversation };
    await person.conversations.rename({ path, body: { title: 'Carts' } });
    expect((await person.conversations.get({ path })).title).toBe('Carts');
    expect((await person.conversations.list()).total).toBe(1);
    const broken = { file: new Blob(['no pdf']), conversation_id: conversation };
    expect(await codeOf(person.uploadPdf.upload.attempt({ body: broken }) as never)).toBe(
      'unsupported_media_type',
    );
    await person.conversations.remove({ path });
    const open = await person.invitations.issue({ body: { role: 'member' } });
    const closed = await person.invitations.issue({ body: { role: 'member' } });
    expect((await person.invitations.list()).total).toBe(2);
    await person.invitations.revoke({ path: { invitation_id: closed.id } });
    const guest = createClient({ url, fetch: recording() });
    const joined = await guest.accept.accept({
      body: { token: open.token ?? '', email: 'guest@example.com', password: PASSWORD },
    });
    const member = { user_id: joined.id };
    await person.members.change({ path: member, body: { role: 'auditor' } });
    expect((await person.members.list()).total).toBe(2);
    await person.members.remove({ path: member });
    await person.legalHold.set({ body: { reason: 'Case 1' } });
    expect((await person.legalHold.get()).active).toBe(true);
    await person.legalHold.release({ body: { reason: 'Case 1 ended' } });
    const changed = await person.auth.password({
      body: { current_password: PASSWORD, new_password: `${PASSWORD} 2` },
    });
    const again = createClient({ url, fetch, headers: { 'x-csrf-token': changed.csrf_token } });
    await again.auth.logout();
    const signedIn = await anonymous.auth.login({ body: { email, password: `${PASSWORD} 2` } });
    const last = createClient({ url, fetch, headers: { 'x-csrf-token': signedIn.csrf_token } });
    expect(await codeOf(last.auth.erase.attempt({ body: { confirm: 'x' } }) as never)).toBe(
      'erasure_not_confirmed',
    );
    expect(await codeOf(last.tenant.erase.attempt({ body: { confirm: 'x' } }) as never)).toBe(
      'erasure_not_confirmed',
    );
    await last.auth.logoutEverywhere();
  });

  async function chat(person: FootnoteClient) {
    const { id } = await person.conversations.start({ body: {} });
    await person.chat.ask({ body: { query: 'total_price', conversation_id: id } });
    let words = '';
    for await (const { event } of person.streams.chat({ query: 'total_price' })) words = event;
    return { conversation: id, words };
  }

  it('has called every operation of the document', () => {
    const shapes = Object.values(OPERATIONS).flatMap((group) =>
      Object.values(group as Readonly<Record<string, OperationShape>>),
    );
    const missed = shapes.filter(({ method, path }) => {
      const pattern = new RegExp(
        `^${method} ${path.replace(/\{path\}/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`,
      );
      return ![...seen].some((each) => pattern.test(each));
    });
    expect(missed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
