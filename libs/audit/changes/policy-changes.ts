import type { PolicySettings } from '#contracts';

import { type FieldChange, fieldChanges } from './field-changes.js';
import { flat } from './stream-view.js';

/** Returns the settings that differ, named as in records of the trail. */
export function policyChanges(
  before: PolicySettings,
  after: PolicySettings,
): readonly FieldChange[] {
  return fieldChanges(flat('', before), flat('', after));
}
