import type { Position } from '#contracts';
import type { GenerationStateName, ReadModel } from '#read-model';
import {
  countKeptGenerations,
  type GenerationKey,
  generationStates,
} from '#read-model/queries/generations.query';

import { BatchLoader } from './batch-loader.js';

/** The index projection's record of a generation. */
export interface IndexedGeneration {
  readonly state: GenerationStateName;
  /** Chunks that the index has loaded. */
  readonly chunk_count: number;
  /**
   * Why it cannot be loaded, when it failed; what is missing of its content, when the index has it
   * all the same.
   */
  readonly message?: string | null;
}

/** The read model's word on which generations the index has. */
export interface IndexedGenerations {
  /** @returns null while nothing is recorded. */
  state(tenantId: string, sourceId: string, generation: number): Promise<IndexedGeneration | null>;
  /**
   * Reports whether the index has taken in everything up to a position, and has nothing of the
   * tenant any more.
   */
  nothingLeft(tenantId: string, upTo: Position | null): Promise<boolean>;
  /** Reports whether the index has taken in everything up to a position. */
  hasTakenIn(upTo: Position | null): Promise<boolean>;
  /** Calls back when some row may have changed; a call may be lost. @returns a way to stop it. */
  onChange?(listener: () => void): () => void;
}

/**
 * A job that waits for its generation asks at each change: of many that wait, few queries. The
 * first one is asked at once.
 */
const TOGETHER = { pauseMs: 50, most: 500 };

/**
 * Returns the read model's rows of generations for the dispatcher; the projector reports changes.
 */
export function indexedGenerations(readModel: ReadModel): IndexedGenerations {
  const states = new BatchLoader<GenerationKey, IndexedGeneration | null>(
    async (tenantId, keys) => {
      const rows = await readModel.ask(generationStates, tenantId, keys);
      const byKey = new Map(rows.map((row) => [keyText(row), row]));
      return keys.map((key) => {
        const row = byKey.get(keyText(key));
        return row
          ? { state: row.state, chunk_count: row.loaded_chunk_count ?? 0, message: row.message }
          : null;
      });
    },
    TOGETHER,
  );
  const hasTakenIn = async (upTo: Position | null) =>
    upTo === null || ((await readModel.positionOf('generations')) ?? '') >= upTo;
  return {
    hasTakenIn,
    state: (tenantId, source_id, generation) => states.ask(tenantId, { source_id, generation }),
    nothingLeft: async (tenantId, upTo) =>
      (await hasTakenIn(upTo)) && (await readModel.ask(countKeptGenerations, tenantId)) === 0,
    onChange: (listener) => readModel.onProgress('generations', listener),
  };
}

function keyText({ source_id, generation }: GenerationKey): string {
  return `${source_id}/${generation}`;
}
