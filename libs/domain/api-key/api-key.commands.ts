import type { Scope } from '#contracts';

/** `digest` is the SHA-256 of the secret in hex, `prefix` its first characters for display. */
export interface IssueApiKey {
  readonly type: 'IssueApiKey';
  readonly data: {
    readonly key_id: string;
    readonly name: string;
    readonly prefix: string;
    readonly digest: string;
    readonly scopes: Scope[];
    /** ISO 8601, or null for a key that does not expire. */
    readonly expires_at: string | null;
  };
}

export interface RevokeApiKey {
  readonly type: 'RevokeApiKey';
  readonly data: Readonly<Record<string, never>>;
}

export type ApiKeyCommand = IssueApiKey | RevokeApiKey;
