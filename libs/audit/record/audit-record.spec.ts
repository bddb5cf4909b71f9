import { describe, expect, it } from '@jest/globals';

import { auditHistory, auditRecords } from '#test/support/audit-history';

import { NO_LEAF } from '../leaf/leaf.js';
import { auditRecord, omitFromRecord } from './audit-record.js';
import { readRecord } from './read-record.js';
import { verifyRecord } from './verify-record.js';

const events = auditHistory(200);
const records = auditRecords(events);

describe('auditRecord', () => {
  it('has every member of the wire format', () => {
    const record = records.find(({ type }) => type === 'PolicyUpdated');
    expect(record).toEqual({
      id: '0190b5e4-7b1d-5000-8000-000000000001',
      seq: 1,
      schema_version: 1,
      action: 'policy.updated',
      type: 'PolicyUpdated',
      category: 'admin',
      occurred_at: '2026-01-02T03:04:05.678Z',
      recorded_at: '2026-01-02T03:04:06.678Z',
      outcome: 'success',
      actor: { type: 'api_key', id: 'key-1', name: 'CI' },
      targets: [{ type: 'policy', id: 'tenant-a' }],
      changes: [{ field: 'staleness_budget_seconds', before: 2_592_000, after: 60 }],
      context: {
        request_id: 'request-1',
        ip: '192.0.2.1',
        user_agent: 'curl/8 \\ "agent"',
        method: 'POST',
        path: '/things/1',
      },
      correlation_id: 'request-1',
      causation_id: 'command-1',
      stream: 'policy-tenant-a',
      revision: 0,
      prev_hash: records[0]?.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      data: { changes: { staleness_budget_seconds: 60 } },
    });
    expect(records[0]?.prev_hash).toBe(NO_LEAF);
  });

  it('hashes the same whatever the store assigns, and whether names of people can be opened', () => {
    const [event] = events.filter(({ metadata }) => metadata.actor.type === 'user');
    if (!event) throw new Error('no event of a person');
    const place = { seq: 3, prevHash: NO_LEAF, changes: [] };
    const named = auditRecord(event, { ...place, personName: 'Ada' });
    const later = auditRecord({ ...event, recordedAt: new Date(0) }, place);
    expect(later.hash).toBe(named.hash);
    expect([named.actor.name, later.actor.name]).toEqual(['Ada', null]);
  });

  it('has no digest, fingerprint or password hash of an event', () => {
    const text = JSON.stringify(records);
    for (const { type, data } of events) {
      for (const field of ['digest', 'password', 'body_hash', 'fingerprint'])
        if (typeof data[field] === 'string' && type !== 'JobStageFailed')
          expect(text).not.toContain(`"${data[field]}"`);
    }
  });
});

describe('verifyRecord', () => {
  it('accepts every record, also with members omitted, from its JSON alone', () => {
    for (const record of records) {
      for (const omit of [[], ['data'], ['context'], ['context', 'data']] as const) {
        const line = JSON.stringify(omitFromRecord(record, omit));
        const read = readRecord(JSON.parse(line));
        expect(read && verifyRecord(read)).toBeNull();
        expect(read).not.toBeNull();
      }
    }
  });

  it('finds every altered member but the two that no hash covers', () => {
    for (const record of records.slice(0, 40)) {
      for (const [name, value] of Object.entries(record)) {
        if (['recorded_at', 'changes'].includes(name)) continue;
        const altered = { ...record, [name]: changed(value) };
        expect([name, verifyRecord(altered)]).not.toEqual([name, null]);
      }
    }
  });
});

describe('readRecord', () => {
  it('rejects surplus, missing and mistyped members', () => {
    const [record] = records;
    if (!record) throw new Error('no record');
    const { data, ...rest } = record;
    expect(readRecord(record)).not.toBeNull();
    expect(readRecord({ ...record, note: 'x' })).toBeNull();
    expect(readRecord(rest)).toBeNull();
    expect(readRecord({ ...record, data_sha256: record.hash })).toBeNull();
    expect(readRecord({ ...record, actor: { ...record.actor, role: 'owner' } })).toBeNull();
    expect(readRecord({ ...record, seq: -1 })).toBeNull();
    expect(readRecord({ ...record, seq: '1' })).toBeNull();
    expect(readRecord({ ...record, hash: record.hash.toUpperCase() })).toBeNull();
    expect(readRecord({ ...record, data: [data] })).toBeNull();
    for (const value of [null, [], 'record', 7]) expect(readRecord(value)).toBeNull();
  });
});

function changed(value: unknown): unknown {
  if (typeof value === 'string') return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return [...(value as unknown[]), { type: 'job', id: 'x' }];
  return { ...(value as object), id: 'other' };
}
