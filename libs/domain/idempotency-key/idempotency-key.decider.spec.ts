import { describe, it } from '@jest/globals';

import { specify } from '#test/support/decider-spec';

import { idempotencyKeyDecider, type UseIdempotencyKey } from './idempotency-key.decider.js';

const { given } = specify(idempotencyKeyDecider);

const first = {
  command_id: 'c1',
  body_hash: 'a'.repeat(64),
  expires_at: '2026-01-02T00:00:00.000Z',
};
const used = { type: 'IdempotencyKeyUsed' as const, data: first };
const use = (now: string, changes: Partial<UseIdempotencyKey['data']> = {}): UseIdempotencyKey => ({
  type: 'UseIdempotencyKey',
  data: { ...first, command_id: 'c2', now, ...changes },
});

describe('an idempotency key', () => {
  it('identifies the first command that uses it', () => {
    given()
      .when(use('2026-01-01T00:00:00.000Z', { command_id: 'c1' }))
      .then(used);
  });

  it('identifies that command until the moment it expires', () => {
    given(used).when(use('2026-01-01T23:59:59.999Z')).thenNothingHappened();
  });

  it('rejects another body until then', () => {
    given(used)
      .when(use('2026-01-01T23:59:59.999Z', { body_hash: 'b'.repeat(64) }))
      .thenRefused('idempotency_key_reused');
  });

  it('identifies another command from then on, whatever its body', () => {
    const next = {
      command_id: 'c2',
      body_hash: 'b'.repeat(64),
      expires_at: '2026-01-03T00:00:00.000Z',
    };
    given(used)
      .when(use('2026-01-02T00:00:00.000Z', next))
      .then({ type: 'IdempotencyKeyUsed', data: next });
  });
});
