import type { PolicySettings } from '#contracts';

export { POLICY_DEFAULTS } from '#contracts';

/** `default`: every setting is at its default. */
export interface PolicyState {
  readonly status: 'default' | 'changed';
  readonly settings: PolicySettings;
}
