import { canonicalJson, jsonSha256 } from '../canonical-json.js';
import { type Fields, SEALED, SealedValue } from './stream-view.js';

/** One field that an event changed. */
export interface FieldChange {
  readonly field: string;
  /** Null where there was none. */
  readonly before: unknown;
  /** Null where there is none any more. */
  readonly after: unknown;
}

/** Most changes of one record; the largest kind of stream has about thirty fields. */
const MAX_CHANGES = 64;
/** Largest value in a change, in bytes of canonical JSON; `sha256:` and a digest replace others. */
export const MAX_VALUE_BYTES = 4_096;

/** Returns the fields that differ, in the order of their names by UTF-16 code units. */
export function fieldChanges(before: Fields, after: Fields): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  return names
    .filter((name) => differ(before[name], after[name]))
    .slice(0, MAX_CHANGES)
    .map((field) => ({ after: shown(after[field]), before: shown(before[field]), field }));
}

function differ(before: unknown, after: unknown): boolean {
  return before !== after && textOf(before) !== textOf(after);
}

function textOf(value: unknown): string {
  return canonicalJson((value instanceof SealedValue ? value.value : value) ?? null);
}

function shown(value: unknown): unknown {
  if (value instanceof SealedValue) return SEALED;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' && typeof value !== 'string') return value;
  const bytes = Buffer.byteLength(canonicalJson(value));
  return bytes > MAX_VALUE_BYTES ? `sha256:${jsonSha256(value)}` : value;
}
