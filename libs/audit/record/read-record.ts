import type { PartialRecord } from './audit-record.js';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isHash: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isList: Check = (value) => Array.isArray(value);
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const BASE: Readonly<Record<string, Check>> = {
  id: isText,
  seq: isCount,
  schema_version: isCount,
  action: isText,
  type: isText,
  category: isText,
  occurred_at: isText,
  recorded_at: isText,
  outcome: isText,
  actor: (value) => hasMembers(value, ACTOR),
  correlation_id: isText,
  causation_id: isText,
  stream: isText,
  revision: isCount,
  prev_hash: isHash,
  hash: isHash,
};
const ACTOR: Readonly<Record<string, Check>> = {
  type: isText,
  id: isText,
  name: (value) => value === null || isText(value),
};
const DATA: Readonly<Record<string, Check>> = { data: isObject, changes: isList, targets: isList };
const NO_DATA = { data_sha256: isHash };
const CONTEXT: Readonly<Record<string, Check>> = {
  context: (value) => value === null || isObject(value),
};
const NO_CONTEXT = { context_sha256: isHash };

/** Shapes of a record, by whether data and context are omitted. */
const SHAPES = [
  { ...BASE, ...DATA, ...CONTEXT },
  { ...BASE, ...DATA, ...NO_CONTEXT },
  { ...BASE, ...NO_DATA, ...CONTEXT },
  { ...BASE, ...NO_DATA, ...NO_CONTEXT },
];

/**
 * Returns a parsed JSON value as a record, or null unless it has exactly the members of one.
 * Members that no hash covers must not hide in a record.
 */
export function readRecord(value: unknown): PartialRecord | null {
  if (!isObject(value)) return null;
  const { data_sha256, context_sha256 } = value as Partial<PartialRecord>;
  const shape =
    SHAPES[(data_sha256 === undefined ? 0 : 2) + (context_sha256 === undefined ? 0 : 1)];
  return shape && hasMembers(value, shape) ? (value as PartialRecord) : null;
}

/** Reports whether an object has exactly the members of a shape, each as its check wants it. */
function hasMembers(value: unknown, shape: Readonly<Record<string, Check>>): boolean {
  if (!isObject(value)) return false;
  const members = Object.entries(value as object);
  return (
    members.length === Object.keys(shape).length &&
    members.every(([name, member]) => Object.hasOwn(shape, name) && shape[name]?.(member))
  );
}
