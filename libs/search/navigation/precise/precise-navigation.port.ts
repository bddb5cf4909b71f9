import type { SearchableSource } from '../../searchable-source.js';
import type { PreciseSource } from './precise-source.js';

/** A table of occurrences that a request used, so that a replay uses the same. */
export interface UsedTable {
  readonly source_id: string;
  readonly blob: string;
}

/** Occurrences that indexers found, for one request. */
export interface PreciseRequest {
  /**
   * Returns the occurrences of a source; undefined if it has none that can be read.
   * @throws FootnoteError `generation_dropped` if a table of a replay is not kept any more.
   */
  of(source: SearchableSource): Promise<PreciseSource | undefined>;
  /** Tables that were used so far. */
  readonly used: readonly UsedTable[];
  /** Sentences about tables that are missing. */
  readonly warnings: readonly string[];
}

/** The SCIP indexes of all sources. */
export interface PreciseNavigation {
  /** @param tables of a recorded request. Default: the newest of each source. */
  open(tables?: readonly UsedTable[]): PreciseRequest;
}
