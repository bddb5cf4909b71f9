import { OccurrenceTableBuilder } from '#code-search/scip/occurrence-table-builder';
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
  const metadata = {
    tenant_id: tenantId,
    actor: { type: 'system', id: 'test' },
    occurred_at: new Date().toISOString(),
  } as const;
  const event = { type: 'SourceScipUploaded', data: { source_id: sourceId, scip } } as const;
  await store.append(`source-${sourceId}`, [proposed(event, metadata)], 'any');
  return blob;
}
