import { describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';

import { AuditFold } from './audit-fold.js';
import { MAX_VALUE_BYTES } from './field-changes.js';

/** Applies the events of one stream, and returns the changes of each. */
function changesOf(stream: string, events: readonly DomainEvent[], fold = new AuditFold()) {
  return events.map(({ type, data }, revision) =>
    fold.apply({ stream, type, data, revision, schema_version: 1 }),
  );
}

const definition = {
  source_type: 'repo' as const,
  url: 'https://git.example.org/app.git',
  branch: 'main',
  include_patterns: ['src/**'],
  exclude_patterns: [],
};

describe('AuditFold', () => {
  it('shows the settings of a policy before and after each change', () => {
    const changes = changesOf('policy-t', [
      { type: 'PolicyUpdated', data: { changes: { staleness_budget_seconds: 3_600 } } },
      {
        type: 'PolicyUpdated',
        data: { changes: { staleness_budget_seconds: 60, source_priorities: { repo: 2 } } },
      },
      { type: 'PolicyReset', data: {} },
    ]);
    expect(changes).toEqual([
      [{ field: 'staleness_budget_seconds', before: 2_592_000, after: 3_600 }],
      [
        { field: 'source_priorities.repo', before: 1, after: 2 },
        { field: 'staleness_budget_seconds', before: 3_600, after: 60 },
      ],
      [
        { field: 'source_priorities.repo', before: 2, after: 1 },
        { field: 'staleness_budget_seconds', before: 60, after: 2_592_000 },
      ],
    ]);
  });

  it('shows definition, name and interval of a source, and that credentials changed', () => {
    const source_id = 's';
    const [first, second, third, last] = changesOf('source-s', [
      { type: 'SourceRegistered', data: { source_id, name: 'App', definition } },
      {
        type: 'SourceUpdated',
        data: {
          source_id,
          name: 'Web',
          definition: { ...definition, branch: 'next' },
          credentials: 'ciphertext-1',
          sync_interval_seconds: 300,
        },
      },
      { type: 'SourceUpdated', data: { source_id, credentials: 'ciphertext-2' } },
      { type: 'SourceRemoved', data: { source_id } },
    ]);
    expect(first).toContainEqual({ field: 'status', before: null, after: 'registered' });
    expect(first).toContainEqual({ field: 'definition.branch', before: null, after: 'main' });
    expect(second).toEqual([
      { field: 'credentials', before: null, after: '[sealed]' },
      { field: 'definition.branch', before: 'main', after: 'next' },
      { field: 'name', before: 'App', after: 'Web' },
      { field: 'sync_interval_seconds', before: 0, after: 300 },
    ]);
    expect(third).toEqual([{ field: 'credentials', before: '[sealed]', after: '[sealed]' }]);
    expect(last).toEqual([{ field: 'status', before: 'registered', after: 'removed' }]);
  });

  it('shows the role of the member that an event is about', () => {
    const changes = changesOf('members-t', [
      { type: 'MemberJoined', data: { user_id: 'a', role: 'owner' } },
      { type: 'MemberJoined', data: { user_id: 'b', role: 'member' } },
      { type: 'MemberRoleChanged', data: { user_id: 'b', role: 'auditor' } },
      { type: 'MemberRemoved', data: { user_id: 'b' } },
    ]);
    expect(changes.map((list) => list?.map(({ before, after }) => [before, after]))).toEqual([
      [[null, 'owner']],
      [[null, 'member']],
      [['member', 'auditor']],
      [['auditor', null]],
    ]);
  });

  it('shows plan, key and password without any secret', () => {
    const tenant_id = 't';
    const [, plan] = changesOf('tenant-t', [
      { type: 'TenantCreated', data: { tenant_id, name: 'Acme' } },
      { type: 'TenantPlanChanged', data: { tenant_id, plan: 'large' } },
    ]);
    expect(plan).toEqual([{ field: 'plan', before: null, after: 'large' }]);
    const key = changesOf('apikey-k', [
      {
        type: 'ApiKeyIssued',
        data: {
          key_id: 'k',
          name: 'CI',
          prefix: 'fnt_1',
          digest: 'd'.repeat(64),
          scopes: ['read'],
          expires_at: null,
        },
      },
      { type: 'ApiKeyUsed', data: { key_id: 'k', used_at: '2026-01-02T03:04:05.678Z' } },
      { type: 'ApiKeyRevoked', data: { key_id: 'k' } },
    ]);
    expect(JSON.stringify(key)).not.toContain('dddd');
    expect(key.slice(1)).toEqual([[], [{ field: 'status', before: 'active', after: 'revoked' }]]);
    const person = changesOf('user-u', [
      {
        type: 'UserRegistered',
        data: {
          user_id: 'u',
          tenant_id,
          fingerprints: ['f'.repeat(64)],
          address: 'sealed address',
          display_name: null,
          password: 'sealed hash',
          role: 'owner',
        },
      },
      {
        type: 'UserPasswordChanged',
        data: { user_id: 'u', password: 'other hash', session_epoch: 2 },
      },
    ]);
    expect(JSON.stringify(person)).not.toContain('hash');
    expect(person[1]).toEqual([
      { field: 'password', before: '[sealed]', after: '[sealed]' },
      { field: 'session_epoch', before: 1, after: 2 },
    ]);
  });

  it('replaces values that are too large by their digests', () => {
    const large = { ...definition, include_patterns: ['x'.repeat(MAX_VALUE_BYTES)] };
    const [changes] = changesOf('source-s', [
      { type: 'SourceRegistered', data: { source_id: 's', name: 'App', definition: large } },
    ]);
    const patterns = changes?.find(({ field }) => field === 'definition.include_patterns');
    expect(patterns?.after).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('changes no field of other streams, and knows no state without the first events', () => {
    const fold = new AuditFold();
    const event = { schema_version: 1, data: { job_id: 'j', source_id: 's' }, revision: 4 };
    expect(fold.apply({ ...event, stream: 'job-j', type: 'JobCancelled' })).toEqual([]);
    expect(fold.apply({ ...event, stream: 'source-s', type: 'SourceRemoved' })).toBeNull();
    const odd = { ...event, revision: 0, schema_version: 9, stream: 'source-s' };
    expect(fold.apply({ ...odd, type: 'SourceRemoved' })).toBeNull();
    expect(
      fold.apply({ ...odd, schema_version: 1, type: 'SourceRegistered', data: {} }),
    ).toBeNull();
    expect(fold.apply({ ...odd, schema_version: 1, type: 'FromTheFuture' })).toEqual([]);
  });

  it('keeps a bounded number of streams', () => {
    const fold = new AuditFold(2);
    for (const tenant of ['a', 'b', 'c']) {
      changesOf(`policy-${tenant}`, [{ type: 'PolicyReset', data: {} }], fold);
    }
    const next = { type: 'PolicyReset', data: {}, revision: 1, schema_version: 1 };
    expect(fold.apply({ ...next, stream: 'policy-a' })).toBeNull();
    expect(fold.apply({ ...next, stream: 'policy-c' })).toEqual([]);
  });
});
