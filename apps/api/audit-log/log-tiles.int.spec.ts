import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { parseCheckpoint, type Tile, TILE_WIDTH, tileAt, TileTree } from '#audit';
import { leafHash } from '#audit/tree/hashing';
import { tilePath } from '#audit/tree/tile-path';
import type { DomainEvent } from '#contracts';
import type { AuditConsistencyView, AuditProofView, CheckpointView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { midHourClock } from '#test/support/api/mid-hour-clock';
import { readLog } from '#test/support/read-log';

const EVENTS = TILE_WIDTH + 20;

describe('the audit trail as a tiled log', () => {
  let api: ApiHarness;
  let signed: CheckpointView;

  beforeAll(async () => {
    api = await ApiHarness.start({ clock: midHourClock() });
    await keysUsed(api);
    const events = Array.from({ length: EVENTS }, (_, at): DomainEvent => {
      return { type: 'PolicyUpdated', data: { changes: { staleness_budget_seconds: 60 + at } } };
    });
    for (let at = 0; at < EVENTS; at += 100)
      await api.append(api.tenantA, `policy-${api.tenantA}`, ...events.slice(at, at + 100));
    signed = (await api.call<CheckpointView>('POST', '/audit/checkpoints')).body;
  });
  afterAll(() => api.stop());

  const fetch = async (path: string, key = api.keyA) => {
    const headers = { authorization: `Bearer ${key}` };
    const url = `/audit/log/${path}`;
    const answer = await api.app.inject({ url, headers });
    return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers };
  };
  const tile = async (path: string) => {
    const { status, bytes, headers } = await fetch(`tile/${path}`);
    expect([path, status, headers]).toEqual([
      path,
      200,
      expect.objectContaining({
        'content-type': 'application/octet-stream',
        'cache-control': 'private, max-age=31536000, immutable',
        vary: expect.stringContaining('Authorization'),
      }),
    ]);
    return bytes;
  };
  const reader = { read: (each: Tile) => tile(tilePath(each)) };

  it('returns the newest checkpoint, whose root the tiles have', async () => {
    const { status, bytes, headers } = await fetch('checkpoint');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers['cache-control']).toBe('no-store');
    expect(bytes.toString()).toBe(signed.checkpoint);
    const head = parseCheckpoint(bytes.toString());
    expect(head?.size).toBe(signed.size);
    const read: string[] = [];
    const listed = { read: (each: Tile) => (read.push(tilePath(each)), reader.read(each)) };
    const root = await new TileTree(listed, signed.size).root();
    expect(root.toString('hex')).toBe(signed.root);
    expect(read).toEqual(expect.arrayContaining(['1/000.p/1']));
  });

  it('has tiles that yield the proofs that the API returns', async () => {
    const tree = new TileTree(reader, signed.size);
    for (const seq of [0, 255, 256, signed.size - 1]) {
      const url = `/audit/proof?seq=${seq}&size=${signed.size}`;
      const { body } = await api.call<AuditProofView>('GET', url);
      const proof = await tree.inclusionProof(seq);
      expect(proof.map((hash) => hash.toString('hex'))).toEqual(body.proof);
    }
    const url = `/audit/consistency?from=200&to=${signed.size}`;
    const { body } = await api.call<AuditConsistencyView>('GET', url);
    const proof = await tree.consistencyProof(200);
    expect(proof.map((hash) => hash.toString('hex'))).toEqual(body.proof);
  });

  it('keeps a partial tile readable and equal after the tree has grown', async () => {
    const before = await tile('0/001.p/10');
    const event: DomainEvent = { type: 'PolicyReset', data: {} };
    await api.append(api.tenantA, `policy-${api.tenantA}`, event);
    expect((await tile('0/001.p/10')).equals(before)).toBe(true);
  });

  it('returns entries that hash to the leaves of their tile', async () => {
    const last = tileAt(0, 1, signed.size);
    for (const path of ['000', `001.p/${last?.width}`]) {
      const hashes = await tile(`0/${path}`);
      const entries = await tile(`entries/${path}`);
      const leaves: Buffer[] = [];
      for (let at = 0; at < entries.length;) {
        const end = at + 2 + entries.readUInt16BE(at);
        leaves.push(leafHash(entries.subarray(at + 2, end)));
        at = end;
      }
      expect(Buffer.concat(leaves).equals(hashes)).toBe(true);
    }
  });

  it.each([
    '0/002',
    '0/001',
    '2/000.p/1',
    '0/000.p/256',
    '0/0',
    '0/../../keys',
    '0/%2e%2e/000',
    '0/000%00',
    '0//000',
    '-1/000',
    '64/000',
    '0/000.p/0',
    '0/000.p/01',
    '0/x999/x999/x999/x999/x999/999',
    `0/${'x000/'.repeat(200)}000`,
    'entries/001',
    'entries/0/000',
    'x',
  ])('has no tile %s', async (path) => {
    const { status, headers } = await fetch(`tile/${path}`);
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('needs credentials with the scope `audit`', async () => {
    expect(await fetch('tile/0/000', 'fnt_wrong')).toMatchObject({ status: 401 });
    const { body } = await api.call<{ key: string }>('POST', '/keys', {
      name: 'reader',
      scopes: ['read'],
    });
    for (const path of ['tile/0/000', 'tile/entries/000', 'checkpoint'])
      expect(await fetch(path, body.key)).toMatchObject({ status: 401 });
  });

  it('records that entries were read, once an hour', async () => {
    const reads = async () =>
      (await readLog(api.store)).filter(
        ({ type, metadata }) => type === 'AuditTrailRead' && metadata.tenant_id === api.tenantA,
      ).length;
    await tile('entries/000');
    const before = await reads();
    expect(before).toBeGreaterThan(0);
    await tile('entries/000.p/3');
    await tile('0/000');
    expect(await reads()).toBe(before);
  });

  it('shows a tenant its own tree alone', async () => {
    expect(await fetch('checkpoint', api.keyB)).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(await fetch('tile/0/000', api.keyB)).toMatchObject({ status: 404 });
    const { bytes } = await fetch('tile/0/000.p/1', api.keyB);
    expect(bytes.equals((await tile('0/000')).subarray(0, 32))).toBe(false);
  });
});
