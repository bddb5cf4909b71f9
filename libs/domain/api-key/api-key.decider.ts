import { type ApiKeyEvent, type Decider, FootnoteError, type KeyScope } from '#contracts';

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

/** Records a use of the key. */
export interface NoteApiKeyUse {
  readonly type: 'NoteApiKeyUse';
  readonly data: {
    /** ISO 8601. */
    readonly used_at: string;
  };
}

export type ApiKeyCommand = IssueApiKey | RevokeApiKey | NoteApiKeyUse;

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
  | (IssuedKey & { readonly status: 'active'; readonly last_used_at?: string })
  | (IssuedKey & { readonly status: 'revoked' });

/** Stream `apikey-<id>`. A revoked key is never valid again. */
export const apiKeyDecider: Decider<ApiKeyCommand, ApiKeyState, ApiKeyEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const apiKeyStreams = defineStream({
  pattern: 'apikey-<key_id>',
  decider: apiKeyDecider,
  commands: { IssueApiKey: true, RevokeApiKey: true, NoteApiKeyUse: true },
  events: { ApiKeyIssued: true, ApiKeyRevoked: true, ApiKeyUsed: true },
});

function decide(command: ApiKeyCommand, state: ApiKeyState): readonly ApiKeyEvent[] {
  switch (command.type) {
    case 'IssueApiKey':
      return state.status === 'absent' ? [{ type: 'ApiKeyIssued', data: command.data }] : [];
    case 'RevokeApiKey':
      if (state.status === 'absent') throw new FootnoteError('key_not_found', 'API key not found');
      return state.status === 'revoked'
        ? []
        : [{ type: 'ApiKeyRevoked', data: { key_id: state.key_id } }];
    case 'NoteApiKeyUse': {
      if (state.status === 'absent') throw new FootnoteError('key_not_found', 'API key not found');
      const { used_at } = command.data;
      const isNews =
        state.status === 'active' && hourOfUse(used_at) > hourOfUse(state.last_used_at ?? null);
      return isNews ? [{ type: 'ApiKeyUsed', data: { key_id: state.key_id, used_at } }] : [];
    }
  }
}

/**
 * Returns the UTC hour of a use. Only the first use in an hour is recorded.
 * @param usedAt ISO 8601 in UTC, or null for never.
 * @returns text that sorts by time.
 */
export function hourOfUse(usedAt: string | null): string {
  return usedAt === null ? '' : usedAt.slice(0, 'yyyy-mm-ddThh'.length);
}

function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  switch (event.type) {
    case 'ApiKeyIssued':
      return state.status === 'absent' ? { status: 'active', ...event.data } : state;
    case 'ApiKeyRevoked':
      return state.status === 'active' ? { ...state, status: 'revoked' } : state;
    case 'ApiKeyUsed':
      return state.status === 'active' ? { ...state, last_used_at: event.data.used_at } : state;
    default:
      return state;
  }
}
