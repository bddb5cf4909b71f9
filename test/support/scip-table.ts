import { OccurrenceTableBuilder } from '#code-search/scip/occurrence-table-builder';
import type { SourceEvent } from '#contracts';
import type { EventStore } from '#event-store';
import { type BlobStore, TimeSlices } from '#platform';

import { proposed } from './sample-events.js';

/** The stores that a table and its event go to. */
interface TableStores {
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly store: Pick<EventStore, 'append'>;
}

/** Returns the bytes of a table of one occurrence. */
export async function scipTable(
  tenantId: string,
  sourceId: string,
  symbol: string,
): Promise<Uint8Array> {
  const builder = new OccurrenceTableBuilder(new TimeSlices());
  const occurrence = { line: 0, column: 13, symbol, isDefinition: true, isImport: false };
  await builder.add({ path: 'a.ts', version: 'v1' }, [occurrence]);
  return builder.encode({ tenantId, sourceId });
}

/** Stores a table and the event that names it, as an upload does. @returns the blob. */
export async function uploadScipTable(
  { blobs, store }: TableStores,
  tenantId: string,
  sourceId: string,
  symbol: string,
): Promise<string> {
  const bytes = await scipTable(tenantId, sourceId, symbol);
  const blob = await blobs.put(bytes);
  const counts = { documents: 1, occurrences: 1, symbols: 1, bytes: bytes.length };
  const scip = { name: 'default', blob, version_ref: 'v1', generation: 1, ...counts };
  const event = { type: 'SourceScipUploaded', data: { source_id: sourceId, scip } } as const;
  await appended(store, tenantId, event);
  return blob;
}

/** Appends the removal of the tables that {@link uploadScipTable} stored. */
export async function removeScipTables(
  { store }: Pick<TableStores, 'store'>,
  tenantId: string,
  source_id: string,
): Promise<void> {
  const data = { source_id, names: ['default'] };
  await appended(store, tenantId, { type: 'SourceScipRemoved', data });
}

async function appended(
  store: TableStores['store'],
  tenant_id: string,
  event: SourceEvent,
): Promise<void> {
  const metadata = {
    tenant_id,
    actor: { type: 'system', id: 'test' },
    occurred_at: new Date().toISOString(),
  } as const;
  await store.append(`source-${event.data.source_id}`, [proposed(event, metadata)], 'any');
}
