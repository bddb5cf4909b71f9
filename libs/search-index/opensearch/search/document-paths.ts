import type { LiveSource } from '../../search-index.port.js';
import type { IndexLayout } from '../index-layout.js';
import { rowFilter } from '../row-filter.js';
import { clausesOf, type RowCondition, widened } from '../row-trigrams.js';
import type { SearchServer, SearchStatus } from '../server.js';

/** Documents that a condition may exclude the others of; the server allows 65,535 buckets. */
const MOST_DOCUMENTS = 60_000;
/** Clauses of a condition that are looked up one by one. */
const MOST_CLAUSES = 8;

interface PathsFound extends SearchStatus {
  readonly aggregations?: {
    readonly paths: {
      /** Rows of the paths beyond the limit. */
      readonly sum_other_doc_count: number;
      readonly buckets: readonly { readonly key: string }[];
    };
  };
}

/** Finds the documents of a generation by conditions on their rows. */
export class DocumentPaths {
  constructor(
    private readonly server: SearchServer,
    private readonly layout: Pick<IndexLayout, 'chunks'>,
  ) {}

  /**
   * Returns the paths of the documents that meet a condition, and maybe further ones; null if any
   * document may.
   */
  async meeting(source: LiveSource, condition: RowCondition): Promise<ReadonlySet<string> | null> {
    const isLong = clausesOf(condition).length > MOST_CLAUSES;
    const decided = isLong ? widened(condition) : condition;
    const clauses = clausesOf(decided);
    const { routing, clause: visible } = rowFilter(source);
    const searches = clauses.map((clause) => {
      const query = { bool: { filter: [visible, clause] } };
      // Few rows meet a clause, so the paths are taken from these and not counted by ordinal.
      const terms = { field: 'path', size: MOST_DOCUMENTS, execution_hint: 'map' };
      const body = { size: 0, track_total_hits: false, query, aggs: { paths: { terms } } };
      return { routing, body };
    });
    const answers = await this.server.searches<PathsFound>(this.layout.chunks, searches);
    const found = new Map<object, ReadonlySet<string>>();
    for (const [at, clause] of clauses.entries()) {
      const { sum_other_doc_count = 1, buckets = [] } = answers[at]?.aggregations?.paths ?? {};
      if (sum_other_doc_count === 0) found.set(clause, new Set(buckets.map(({ key }) => key)));
    }
    return evaluate(decided, found);
  }
}

/** @param found the paths for each clause; any path may meet a clause that is missing. */
function evaluate(
  condition: RowCondition,
  found: ReadonlyMap<object, ReadonlySet<string>>,
): ReadonlySet<string> | null {
  if (condition.kind === 'any') return null;
  if (condition.kind === 'rows') return found.get(condition.clause) ?? null;
  const parts = condition.parts.map((part) => evaluate(part, found));
  const known = parts.filter((paths) => paths !== null);
  if (condition.kind === 'or')
    return known.length < parts.length ? null : new Set(known.flatMap((paths) => [...paths]));
  const [first, ...others] = known.toSorted((a, b) => a.size - b.size);
  if (!first) return null;
  return new Set([...first].filter((path) => others.every((paths) => paths.has(path))));
}
