import { FootnoteError, type ApiKeyEvent, type Decider, type KeyScope } from '#contracts';

import { defineStream } from '../define-stream.js';

/** `digest` is the SHA-256 of the secret in hex, `prefix` its first characters for display. */
export interface IssueApiKey {
  readonly type: 'IssueApiKey';
  readonly data: {
    readonly key_id: string;
    readonly name: string;
    readonly prefix: string;
    readonly digest: string;
    readonly scopes: KeyScope[];
    /** ISO 8601, or null for a key that does not expire. */
    readonly expires_at: string | null;
  };
}

export interface RevokeApiKey {
  readonly type: 'RevokeApiKey';
  readonly data: Readonly<Record<string, never>>;
}

export type ApiKeyCommand = IssueApiKey | RevokeApiKey;

interface IssuedKey {
  readonly key_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly digest: string;
  readonly scopes: readonly KeyScope[];
  readonly expires_at: string | null;
}

export type ApiKeyState =
  | { readonly status: 'absent' }
  | (IssuedKey & { readonly status: 'active' })
  | (IssuedKey & { readonly status: 'revoked' });

/** Stream `apikey-<id>`. A revoked key never comes back. */
export const apiKeyDecider: Decider<ApiKeyCommand, ApiKeyState, ApiKeyEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const apiKeyStreams = defineStream({
  pattern: 'apikey-<key_id>',
  decider: apiKeyDecider,
  commands: { IssueApiKey: true, RevokeApiKey: true },
  events: { ApiKeyIssued: true, ApiKeyRevoked: true },
});

function decide(command: ApiKeyCommand, state: ApiKeyState): readonly ApiKeyEvent[] {
  switch (command.type) {
    case 'IssueApiKey':
      return state.status === 'absent' ? [{ type: 'ApiKeyIssued', data: command.data }] : [];
    case 'RevokeApiKey':
      if (state.status === 'absent') throw new FootnoteError('key_not_found', 'There is no such API key');
      return state.status === 'revoked' ? [] : [{ type: 'ApiKeyRevoked', data: { key_id: state.key_id } }];
  }
}

function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  switch (event.type) {
    case 'ApiKeyIssued':
      return state.status === 'absent' ? { status: 'active', ...event.data } : state;
    case 'ApiKeyRevoked':
      return state.status === 'active' ? { ...state, status: 'revoked' } : state;
    default:
      return state;
  }
}
