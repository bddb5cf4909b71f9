import { EVENT_DEFINITIONS } from '#contracts';

import type { AuditAction } from './audit-action.js';
import { AUDIT_CATALOGUE } from './catalogue.js';

const ACTION = /^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/;

/**
 * Checks at the start that each type of event has exactly one action of its own.
 * @throws Error naming the type and what to add.
 */
export function checkAuditCatalogue(
  definitions: readonly { readonly type: string }[] = EVENT_DEFINITIONS,
  catalogue: Readonly<Record<string, AuditAction>> = AUDIT_CATALOGUE,
): void {
  const types = new Set(definitions.map(({ type }) => type));
  for (const type of types) {
    if (!Object.hasOwn(catalogue, type))
      throw new Error(`Event ${type} has no audit action; add it to AUDIT_CATALOGUE`);
  }
  const actions = new Map<string, string>();
  for (const [type, { action }] of Object.entries(catalogue)) {
    if (!types.has(type))
      throw new Error(
        `Audit action ${action} has no event ${type}; remove it from AUDIT_CATALOGUE`,
      );
    if (!ACTION.test(action))
      throw new Error(`Audit action ${action} of ${type} must be written as noun.verb`);
    const other = actions.get(action);
    if (other !== undefined)
      throw new Error(`Events ${other} and ${type} have one audit action ${action}; rename one`);
    actions.set(action, type);
  }
}
