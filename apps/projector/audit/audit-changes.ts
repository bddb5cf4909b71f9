import { auditedData, AuditFold, changesFields, type FieldChange } from '#audit';
import type { RecordedEvent } from '#contracts';
import type { EventStore } from '#event-store';

/** Returns the fields that events change. */
export interface AuditChanges {
  /** @returns null for an event whose type changes no fields. */
  of(event: RecordedEvent): Promise<readonly FieldChange[] | null>;
}

/** Streams whose state is kept; others are read again when one of their fields changes. */
const MAX_STREAMS = 500;

/**
 * Folds the streams of changed resources from the log. An event that changes no field costs
 * nothing; one that does reads what its stream got since the last.
 */
export function auditChanges(store: Pick<EventStore, 'read'>): AuditChanges {
  const fold = new AuditFold(MAX_STREAMS);
  return {
    async of({ type, stream, revision }) {
      if (!changesFields(type)) return null;
      let changes: readonly FieldChange[] | null = null;
      const from = BigInt(fold.nextOf(stream, Number(revision)));
      for await (const event of store.read(stream, { from })) {
        if (event.revision > revision) break;
        changes = fold.apply({
          type: event.type,
          stream,
          revision: Number(event.revision),
          schema_version: event.metadata.schema_version,
          data: auditedData(event.type, event.data),
        });
      }
      return changes;
    },
  };
}
