import type { JsonObject } from '#contracts';

import type { AuditAction, AuditTarget } from './audit-action.js';
import { AUDIT_CATALOGUE, UNKNOWN_ACTION } from './catalogue.js';

/** Most targets of one record. Only a deleted conversation has more than three. */
const MAX_TARGETS = 128;

const byType: ReadonlyMap<string, AuditAction> = new Map(Object.entries(AUDIT_CATALOGUE));

/** Returns what the trail derives from a type of event. */
export function auditAction(type: string): AuditAction {
  return byType.get(type) ?? UNKNOWN_ACTION;
}

/** The event that targets are derived from: as it is stored, never upcast. */
export interface TargetedEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly data: JsonObject;
}

/**
 * Returns what an event is about, in the order of its rules. A field that the stored version does
 * not have adds nothing.
 */
export function auditTargets(event: TargetedEvent): readonly AuditTarget[] {
  return auditAction(event.type)
    .targets.flatMap(({ type, field }) => idsOf(event, field).map((id) => ({ id, type })))
    .slice(0, MAX_TARGETS);
}

function idsOf({ id, stream, data }: TargetedEvent, field: string): readonly string[] {
  if (field === '$id') return [id];
  if (field === '$stream') return [stream.slice(stream.indexOf('-') + 1)];
  const value = Object.hasOwn(data, field) ? data[field] : undefined;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}
