import { createHash } from 'node:crypto';

import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

/** Names of variables with the SHA-256 of the value in effect, hex; null for a secret. */
export type SettingDigests = Readonly<Record<string, string | null>>;

/**
 * Returns the digests of all values in effect, defaults among them. Unset variables without a
 * default are left out. A secret has no digest: short ones could be guessed from it.
 */
export function settingDigests(
  environment: Readonly<Record<string, string | undefined>>,
): SettingDigests {
  const digests = Object.entries<Variable<unknown>>(VARIABLES).flatMap(([name, variable]) => {
    const value = environment[name] ?? variable.fallback;
    if (value === undefined) return [];
    const digest = variable.secret ? null : createHash('sha256').update(value).digest('hex');
    return [[name, digest] as const];
  });
  return Object.fromEntries(digests);
}
