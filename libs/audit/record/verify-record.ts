import { canonicalJson } from '../canonical-json.js';
import { auditAction, auditTargets } from '../catalogue/derive-action.js';
import { hashLeaf } from '../leaf/leaf.js';
import { leafOf, type PartialRecord } from './audit-record.js';

/** The problems of a record that the record alone shows. */
export type RecordProblem = 'hash' | 'action' | 'category' | 'outcome' | 'targets';

/**
 * Recomputes the hash of a record, and what is derived from its type and data; returns the first
 * difference, or null. What is omitted is taken by its digest.
 */
export function verifyRecord(record: PartialRecord): RecordProblem | null {
  if (hashLeaf(leafOf(record)).toString('hex') !== record.hash) return 'hash';
  const { action, category, outcome } = auditAction(record.type);
  if (record.action !== action) return 'action';
  if (record.category !== category) return 'category';
  if (record.outcome !== outcome) return 'outcome';
  const { data, targets, ...rest } = record;
  if (data === undefined) return null;
  return sameJson(targets, auditTargets({ ...rest, data })) ? null : 'targets';
}

/** Reports whether two values have the same canonical JSON. */
export function sameJson(left: unknown, right: unknown): boolean {
  // Equal texts are equal values; derived members have the order of canonical JSON.
  if (JSON.stringify(left) === JSON.stringify(right)) return true;
  return canonicalJson(left) === canonicalJson(right);
}
