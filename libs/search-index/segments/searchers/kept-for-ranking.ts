import { ColumnMemory } from '#retrieval/ranking/column-memory';

import { KeptPaths } from './kept-paths.js';

/** Memory for the columns of some 700 chunks; it grows with a search. */
const COLUMN_BYTES = 131_072;

/** Memory that a thread keeps from one ranking to the next. */
export class KeptForRanking {
  readonly paths = new KeptPaths();
  readonly memory = new ColumnMemory(COLUMN_BYTES);
}
