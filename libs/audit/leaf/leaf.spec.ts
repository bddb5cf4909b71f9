import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { canonicalJson, jsonSha256 } from '../canonical-json.js';
import { auditedData } from './audited-data.js';
import { hashLeaf, type Leaf, leafContent, MAX_LEAF_BYTES, NO_LEAF } from './leaf.js';

const leaf: Leaf = {
  seq: 0,
  prev_hash: NO_LEAF,
  id: '0190b5e4-7b1d-5000-8000-000000000021',
  type: 'PolicyReset',
  schema_version: 1,
  stream: 'policy-tenant-a',
  revision: 3,
  occurred_at: '2026-01-02T03:04:05.678Z',
  actor: { type: 'api_key', id: 'key-1', name: 'CI' },
  correlation_id: 'request-1',
  causation_id: 'command-1',
  data_sha256: jsonSha256({}),
  context_sha256: jsonSha256(null),
};

describe('leafContent', () => {
  it('is this text, and its hash is of 0x00 and the text', () => {
    const text =
      '{"actor":{"id":"key-1","name":"CI","type":"api_key"},"causation_id":"command-1",' +
      '"context_sha256":"74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b",' +
      '"correlation_id":"request-1",' +
      '"data_sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",' +
      '"id":"0190b5e4-7b1d-5000-8000-000000000021","occurred_at":"2026-01-02T03:04:05.678Z",' +
      `"prev_hash":"${'0'.repeat(64)}","revision":3,"schema_version":1,"seq":0,` +
      '"stream":"policy-tenant-a","type":"PolicyReset"}';
    expect(leafContent(leaf)).toBe(text);
    const hash = createHash('sha256').update(Buffer.of(0)).update(text).digest();
    expect(hashLeaf(leaf)).toEqual(hash);
  });

  it('is canonical JSON, whatever the texts', () => {
    for (const id of ['', 'ü€😀', '"\\\n\u0001', '\ud800']) {
      const odd = { ...leaf, id, actor: { type: 'operator' as const, id, name: id } };
      const content = leafContent(odd);
      expect(content).toBe(canonicalJson(JSON.parse(content)));
      expect(content).toBe(canonicalJson(odd));
    }
  });

  it.each(Object.keys(leaf) as (keyof Leaf)[])('binds %s', (field) => {
    const value = leaf[field];
    const other =
      typeof value === 'number'
        ? value + 1
        : typeof value === 'string'
          ? `${value}x`
          : { ...value, id: 'key-2' };
    expect(hashLeaf({ ...leaf, [field]: other })).not.toEqual(hashLeaf(leaf));
  });

  it('binds the name of a key, and not that of a person', () => {
    const named = (type: 'api_key' | 'user', name: string): Leaf => ({
      ...leaf,
      actor: { type, id: 'a', name },
    });
    expect(hashLeaf(named('api_key', 'CI'))).not.toEqual(hashLeaf(named('api_key', 'CD')));
    expect(hashLeaf(named('user', 'Ada'))).toEqual(hashLeaf(named('user', 'Bob')));
    expect(leafContent(named('user', 'Ada'))).not.toContain('Ada');
  });

  it.each([
    ['control characters', '\u0001'],
    ['lone surrogates', '\ud800'],
    ['emoji', '😀'],
    ['quotes', '"'],
    ['letters', 'x'],
  ])('fits an entry of tlog-tiles with the largest values, made of %s', (_, sign) => {
    for (const length of [682, 683, 1_365, 4_094, 4_095, 1_000_000]) {
      const text = sign.repeat(length);
      const largest: Leaf = {
        ...leaf,
        seq: Number.MAX_SAFE_INTEGER,
        revision: Number.MAX_SAFE_INTEGER,
        schema_version: Number.MAX_SAFE_INTEGER,
        id: text,
        type: text,
        stream: text,
        occurred_at: text,
        actor: { type: 'operator', id: text, name: text },
        correlation_id: text,
        causation_id: text,
      };
      expect(Buffer.byteLength(leafContent(largest))).toBeLessThanOrEqual(MAX_LEAF_BYTES);
    }
  });

  it('binds a text that is there as its digest', () => {
    const long = { ...leaf, correlation_id: 'x'.repeat(5_000) };
    expect(leafContent(long)).toContain(`sha256:${jsonSha256(long.correlation_id)}`);
    expect(hashLeaf({ ...long, correlation_id: `${'x'.repeat(4_999)}y` })).not.toEqual(
      hashLeaf(long),
    );
  });
});

describe('auditedData', () => {
  it('replaces what the feed withholds by its digest, and keeps the rest as stored', () => {
    const data = { key_id: 'k', digest: 'd'.repeat(64), scopes: ['read'] };
    expect(auditedData('ApiKeyIssued', data)).toEqual({
      key_id: 'k',
      digest: `sha256:${jsonSha256('d'.repeat(64))}`,
      scopes: ['read'],
    });
    expect(auditedData('ApiKeyUsed', data)).toBe(data);
    const person = { user_id: 'u', fingerprints: ['a', 'b'], password: null, address: 'sealed' };
    expect(auditedData('UserRegistered', person)).toEqual({
      ...person,
      fingerprints: `sha256:${jsonSha256(['a', 'b'])}`,
    });
  });

  it('leaves the digest of a request body out', () => {
    const data = { command_id: 'c', body_hash: 'b'.repeat(64), expires_at: 'x' };
    expect(auditedData('IdempotencyKeyUsed', data)).toEqual({ command_id: 'c', expires_at: 'x' });
  });
});
