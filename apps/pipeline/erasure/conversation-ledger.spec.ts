import { beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent, Position, SourceDefinition } from '#contracts';

import { ConversationLedger } from './conversation-ledger.js';

const GRACE_MS = 1_000;
const definition: SourceDefinition = {
  source_type: 'pdf',
  url: 'a.pdf',
  include_patterns: [],
  exclude_patterns: [],
};
const started = (conversation_id: string, user_id: string): DomainEvent => ({
  type: 'ConversationStarted',
  data: { conversation_id, user_id, key: 'sealed', title: null },
});
const deleted = (conversation_id: string): DomainEvent => ({
  type: 'ConversationDeleted',
  data: { conversation_id, document_ids: [] },
});
const registered = (source_id: string, conversation_id: string): DomainEvent => ({
  type: 'SourceRegistered',
  data: { source_id, name: 'A', definition, audience: { kind: 'conversation', conversation_id } },
});
const removed = (source_id: string): DomainEvent => ({
  type: 'SourceRemoved',
  data: { source_id },
});
const left = (user_id: string): DomainEvent => ({ type: 'MemberRemoved', data: { user_id } });

describe('the ledger of conversations', () => {
  let ledger: ConversationLedger;
  let now: number;
  let count: number;
  beforeEach(() => {
    [now, count] = [0, 0];
    ledger = new ConversationLedger({ monotonic: () => now });
  });

  function see(event: DomainEvent, tenant_id = 't1'): void {
    count += 1;
    ledger.apply({
      ...event,
      id: `e${count}`,
      stream: 'conversation-any',
      revision: 0n,
      recordedAt: new Date(0),
      position: String(count).padStart(19, '0') as Position,
      metadata: {
        tenant_id,
        actor: { type: 'system', id: 'x' },
        correlation_id: 'c1',
        causation_id: 'c0',
        schema_version: 1,
        occurred_at: '1970-01-01T00:00:00.000Z',
      },
    });
  }
  const later = (): void => void (now += GRACE_MS);
  const behind = () =>
    ledger
      .leftBehind(GRACE_MS)
      .map(({ conversationId, documents, cause }) => [
        conversationId,
        [...documents],
        cause.causationId,
      ]);
  const strays = () =>
    ledger.strayDocuments(GRACE_MS).map(({ sourceId, cause }) => [sourceId, cause.causationId]);

  it('finds what a person left behind once the request has had its time, in any order of events', () => {
    for (const event of [
      started('c1', 'u1'),
      started('c2', 'u2'),
      registered('s1', 'c1'),
      registered('s2', 'c1'),
    ])
      see(event);
    see(removed('s1'));
    see(left('u1'));
    expect(behind()).toEqual([]);
    later();
    expect(behind()).toEqual([['c1', ['s2'], 'e6']]);
    see({ type: 'UserClosed', data: { user_id: 'u1' } });
    expect(behind()).toEqual([['c1', ['s2'], 'e6']]);
    see(removed('s2'));
    expect(behind()).toEqual([['c1', [], 'e6']]);
    see(deleted('c1'));
    expect([behind(), strays()]).toEqual([[], []]);
    expect([...ledger.deleted]).toEqual(['c1']);
  });

  it('finds a conversation that somebody who had left still began', () => {
    see(left('u1'));
    see(started('c1', 'u1'));
    later();
    expect(behind()).toEqual([['c1', [], 'e1']]);
  });

  it('finds documents that outlived their conversation, registered before or after its end', () => {
    for (const event of [
      started('c1', 'u1'),
      registered('s1', 'c1'),
      deleted('c1'),
      registered('s2', 'c1'),
    ])
      see(event);
    expect(strays()).toEqual([]);
    later();
    expect(strays()).toEqual([
      ['s1', 'e3'],
      ['s2', 'e4'],
    ]);
    see(removed('s1'));
    see(removed('s2'));
    expect(strays()).toEqual([]);
  });

  it('knows nothing of other sources, and forgets tenants that are erased', () => {
    see({ type: 'SourceRegistered', data: { source_id: 's1', name: 'A', definition } });
    see(started('c1', 'u1'));
    see(started('c2', 'u2'), 't2');
    see(registered('s2', 'gone'));
    see({ type: 'TenantErasureRequested', data: { tenant_id: 't1', reason: 'owner_request' } });
    see(registered('s3', 'gone'));
    for (const [user, tenant] of [
      ['u1', 't1'],
      ['u2', 't2'],
    ] as const)
      see(left(user), tenant);
    later();
    expect([behind(), strays()]).toEqual([[['c2', [], 'e8']], []]);
  });
});
