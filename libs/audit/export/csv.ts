import type { PartialRecord } from '../record/audit-record.js';

/** Columns of an export as CSV, in order. */
const CSV_COLUMNS = [
  'seq',
  'id',
  'occurred_at',
  'recorded_at',
  'action',
  'type',
  'category',
  'outcome',
  'actor_type',
  'actor_id',
  'actor_name',
  'targets',
  'changes',
  'request_id',
  'ip',
  'user_agent',
  'method',
  'path',
  'correlation_id',
  'causation_id',
  'stream',
  'revision',
  'schema_version',
  'prev_hash',
  'hash',
  'data',
] as const;

/** Returns the first line of an export as CSV (RFC 4180). */
export function csvHeader(): string {
  return `${CSV_COLUMNS.join(',')}\r\n`;
}

/** Returns a record as a line of CSV; lists and objects are cells of JSON. */
export function csvLine(record: PartialRecord): string {
  const { actor, context, targets, changes, data } = record;
  const cells: Readonly<Record<(typeof CSV_COLUMNS)[number], string | number | null | undefined>> =
    {
      ...record,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      request_id: context?.request_id,
      ip: context?.ip,
      user_agent: context?.user_agent,
      method: context?.method,
      path: context?.path,
      targets: json(targets),
      changes: json(changes),
      data: json(data),
    };
  return `${CSV_COLUMNS.map((column) => csvCell(cells[column])).join(',')}\r\n`;
}

/**
 * Returns a cell. A text that spreadsheets would run as a formula gets an apostrophe before it;
 * quotes, commas and line breaks are quoted.
 */
export function csvCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
