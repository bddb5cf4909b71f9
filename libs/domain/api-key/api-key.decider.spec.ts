import { describe, it } from '@jest/globals';

import type { ApiKeyEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { apiKeyDecider } from './api-key.decider.js';

const key = {
  key_id: 'k1',
  name: 'ci',
  prefix: 'fnt_abcdefgh',
  digest: 'a'.repeat(64),
  scopes: ['read' as const],
  expires_at: null,
};
const issued: ApiKeyEvent = { type: 'ApiKeyIssued', data: key };
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { key_id: 'k1' } };
const { given } = specify(apiKeyDecider);

describe('api key', () => {
  it('is issued once', () => {
    given().when({ type: 'IssueApiKey', data: key }).then(issued);
    given(issued).when({ type: 'IssueApiKey', data: key }).thenNothingHappened();
  });

  it('is revoked once and forever', () => {
    given(issued).when({ type: 'RevokeApiKey', data: {} }).then(revoked);
    given(issued, revoked).when({ type: 'RevokeApiKey', data: {} }).thenNothingHappened();
    given(issued, revoked).when({ type: 'IssueApiKey', data: key }).thenNothingHappened();
  });

  it('records its use once an hour, and none after it was revoked', () => {
    const use = (used_at: string) => ({ type: 'NoteApiKeyUse' as const, data: { used_at } });
    const used = (used_at: string): ApiKeyEvent => ({
      type: 'ApiKeyUsed',
      data: { key_id: 'k1', used_at },
    });
    const first = '2026-03-01T00:10:00.000Z';
    given(issued).when(use(first)).then(used(first));
    given(issued, used(first)).when(use('2026-03-01T00:59:59.999Z')).thenNothingHappened();
    given(issued, used(first)).when(use('2026-02-28T23:00:00.000Z')).thenNothingHappened();
    given(issued, used(first))
      .when(use('2026-03-01T01:00:00.000Z'))
      .then(used('2026-03-01T01:00:00.000Z'));
    given(issued, revoked).when(use(first)).thenNothingHappened();
    given().when(use(first)).thenRefused('key_not_found');
  });

  it('cannot be revoked before it exists', () => {
    given().when({ type: 'RevokeApiKey', data: {} }).thenRefused('key_not_found');
  });
});
