import type { ReadModel } from '#read-model';

import type { IndexedGenerations } from './pipeline.ports.js';

/** What the index projection has recorded, as the read model tells it. */
export function indexedGenerationsOf(readModel: Pick<ReadModel, 'generation'>): IndexedGenerations {
  return {
    async state(tenantId, sourceId, generation) {
      const row = await readModel.generation(tenantId, sourceId, generation);
      return row && { state: row.state, chunk_count: row.loaded_chunk_count ?? 0, message: row.message };
    },
  };
}
