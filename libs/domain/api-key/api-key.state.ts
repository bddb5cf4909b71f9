import type { Scope } from '#contracts';

interface IssuedKey {
  readonly key_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly digest: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
}

export type ApiKeyState =
  | { readonly status: 'absent' }
  | (IssuedKey & { readonly status: 'active' })
  | (IssuedKey & { readonly status: 'revoked' });
