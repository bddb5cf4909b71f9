import type { ReadModel } from '#read-model';
import { getGeneration } from '#read-model/queries/generations.query';

import type { IndexedGenerations } from './pipeline.ports.js';

/** The read model's rows of generations, as the dispatcher asks for them; told of changes by whoever projects. */
export function indexedGenerations(readModel: ReadModel): IndexedGenerations {
  return {
    state: async (tenantId, sourceId, generation) => {
      const row = await readModel.ask(getGeneration, tenantId, sourceId, generation);
      return row ? { state: row.state, chunk_count: row.loaded_chunk_count ?? 0, message: row.message } : null;
    },
    onChange: (listener) => readModel.onProgress('generations', listener),
  };
}
