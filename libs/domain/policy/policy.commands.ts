import type { PolicyEvent } from '#contracts';

/** Any subset of the settings; absent ones stay as they are. */
export type PolicyChanges = Extract<PolicyEvent, { type: 'PolicyUpdated' }>['data']['changes'];

export interface UpdatePolicy {
  readonly type: 'UpdatePolicy';
  readonly data: { readonly changes: PolicyChanges };
}

export interface ResetPolicy {
  readonly type: 'ResetPolicy';
  readonly data: Readonly<Record<string, never>>;
}

export type PolicyCommand = UpdatePolicy | ResetPolicy;
