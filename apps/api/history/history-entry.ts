import type { AuditEventView, HistoryEntryView } from '#contracts/http/index';

/** Returns a record of the trail as an entry of a history, which has no hashes. */
export function historyEntry(record: AuditEventView): HistoryEntryView {
  const { seq, id, action, revision, occurred_at, recorded_at, actor, changes, context } = record;
  const request_id = context?.request_id ?? null;
  return { seq, id, action, revision, occurred_at, recorded_at, actor, request_id, changes };
}
