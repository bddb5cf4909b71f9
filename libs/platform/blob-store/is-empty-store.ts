import type { BlobStore } from './blob-store.port.js';

/** Whether a store has no blob. */
export async function isEmptyStore(store: Pick<BlobStore, 'list'>): Promise<boolean> {
  for await (const blob of store.list()) if (blob.hash) return false;
  return true;
}
