import type { SourceChunk } from '#contracts';

import type { RankedPlace } from '../metric.js';
import type { ComparedModel } from './compared-model.js';

/** A repository as every peer gets it: the same chunks, and of one model the same vectors. */
export interface EmbeddedSet {
  readonly repository: string;
  readonly revision: string;
  readonly chunks: readonly SourceChunk[];
  readonly model: ComparedModel;
  /** One a chunk, in their order. */
  readonly vectors: readonly Float32Array[];
}

interface AskedQuestion {
  readonly text: string;
  /** By the model of the set. */
  readonly vector: Float32Array;
}

/** The answer of a ranking. */
export interface RankedAnswer {
  /** Best first, at least ten where there are as many. */
  readonly places: readonly RankedPlace[];
  /** Whether the ranking itself bounds the results of a file; false when absent. */
  readonly isGrouped?: boolean;
  /**
   * The score of the first result, 0 without results. Undefined where scores contain ranks only,
   * for which no threshold can be set.
   */
  readonly topScore: number | undefined;
}

/** Answers by the names of the ways of ranking: the rows of the table. */
export type RankedAnswers = ReadonlyMap<string, RankedAnswer>;

/** A repository in a peer's index. */
export interface OpenedSet {
  /** Every way of ranking that the index serves, asked once. */
  ask(question: AskedQuestion): Promise<RankedAnswers>;
  close(): Promise<void>;
}

/** Something to rank with that a user could pick. */
export interface QuestionPeer {
  /** Version and setting, as the report prints them. */
  readonly about: string;
  /** @param folder an empty one, for what it writes */
  open(set: EmbeddedSet, folder: string): Promise<OpenedSet>;
}

/** Gives the places of ranked chunks by their ids. */
export function placesById(
  chunks: readonly SourceChunk[],
): (ids: readonly string[]) => RankedPlace[] {
  const places = new Map(chunks.map((chunk) => [chunk.chunk_id, placeOf(chunk)]));
  return (ids) =>
    ids.map((id) => {
      const place = places.get(id);
      if (!place) throw new Error(`A result is no chunk of the repository: ${id}`);
      return place;
    });
}

export function placeOf({ path, start_line, end_line }: SourceChunk): RankedPlace {
  return { path, startLine: start_line, endLine: end_line };
}
