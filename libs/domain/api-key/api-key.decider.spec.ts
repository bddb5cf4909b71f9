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

  it('is revoked once and for ever', () => {
    given(issued).when({ type: 'RevokeApiKey', data: {} }).then(revoked);
    given(issued, revoked).when({ type: 'RevokeApiKey', data: {} }).thenNothingHappened();
    given(issued, revoked).when({ type: 'IssueApiKey', data: key }).thenNothingHappened();
  });

  it('cannot be revoked before it exists', () => {
    given().when({ type: 'RevokeApiKey', data: {} }).thenRefused('key_not_found');
  });
});
