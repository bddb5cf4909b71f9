import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Candidates, LiveSource } from '../../search-index.port.js';
import type { IndexLayout } from '../index-layout.js';
import { rowFilters, slices } from '../row-filter.js';
import type { SearchServer, SearchStatus } from '../server.js';
import type { GenerationEntry } from '../source-records.js';

const MAX_KEPT = 100_000;
const TERMS_A_SEARCH = 250;

interface Counted extends SearchStatus {
  readonly aggregations?: {
    readonly terms: { readonly buckets: readonly { readonly doc_count: number }[] };
  };
}

/**
 * Computes N, average length and document frequencies over a corpus. The content of a generation
 * never changes, so a frequency is kept while the corpus consists of the same generations.
 */
export class DocumentFrequencies {
  private readonly kept = new LRUCache<string, number>({ max: MAX_KEPT });

  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
  ) {}

  async statistics(
    corpus: readonly LiveSource[],
    entries: readonly GenerationEntry[],
    terms: readonly string[],
  ): Promise<Candidates['statistics']> {
    const chunks = entries.reduce((sum, entry) => sum + entry.chunks, 0);
    const length = entries.reduce((sum, entry) => sum + entry.total_length, 0);
    const key = `${this.layout.id}/${corpusKey(corpus, entries)}`;
    const known = new Map<string, number>();
    for (const term of terms) {
      const count = chunks === 0 ? 0 : this.kept.get(`${key}${term}`);
      if (count !== undefined) known.set(term, count);
    }
    const unknown = terms.filter((term) => !known.has(term));
    const counts = unknown.length > 0 ? await this.count(corpus, unknown) : [];
    unknown.forEach((term, at) => {
      known.set(term, counts[at] as number);
      this.kept.set(`${key}${term}`, counts[at]);
    });
    return {
      chunks,
      averageLength: chunks === 0 ? 0 : length / chunks,
      documentFrequencies: terms.map((term) => known.get(term) as number),
    };
  }

  private async count(
    corpus: readonly LiveSource[],
    terms: readonly string[],
  ): Promise<readonly number[]> {
    const counts = new Map<string, number>();
    for (const some of slices(terms, TERMS_A_SEARCH)) {
      const filters = some.map((term) => ({ term: { tokens: { value: term } } }));
      const searches = rowFilters(corpus).map(({ routing, clause }) => ({
        routing,
        body: {
          size: 0,
          track_total_hits: false,
          query: { bool: { filter: [clause] } },
          aggs: { terms: { filters: { filters } } },
        },
      }));
      for (const { aggregations } of await this.server.searches<Counted>(
        this.layout.chunks,
        searches,
      )) {
        some.forEach((term, at) => {
          const found = aggregations?.terms.buckets[at]?.doc_count ?? 0;
          counts.set(term, (counts.get(term) ?? 0) + found);
        });
      }
    }
    return terms.map((term) => counts.get(term) ?? 0);
  }
}

function corpusKey(corpus: readonly LiveSource[], entries: readonly GenerationEntry[]): string {
  const generations = corpus.map(
    ({ tenantId, sourceId, generation }, at) =>
      `${tenantId}/${sourceId}/${generation}/${entries[at]?.fingerprint}`,
  );
  return createHash('sha256').update(generations.sort().join('\n')).digest('base64url');
}
