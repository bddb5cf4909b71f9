import { expect } from '@jest/globals';

import { analyzeQuery, embedTerms, HASH_NGRAM_ID, type LocalModel } from '#retrieval';
import type { Candidate, CandidateQuery, Candidates, LiveSource, SearchIndex } from '#search-index';

import {
  type ChunkSketch,
  IndexedSource,
  type SketchModel,
  uuidOf,
} from '../../support/indexed-source.js';

export interface OpenedIndex {
  readonly index: SearchIndex;
  /** Closes the index and opens it again on the same data. */
  reopen(): Promise<SearchIndex>;
  dispose(): Promise<void>;
}

export const ONE = uuidOf('tenant one');
export const TWO = uuidOf('tenant two');

export const CACHE: ChunkSketch = {
  path: 'src/cache.ts',
  text: 'export class LruCache { evict oldest entry }',
  symbol: 'LruCache',
  defs: ['LruCache'],
};
export const RETRY: ChunkSketch = {
  path: 'src/retry.ts',
  text: 'retry the request with backoff',
  symbol: 'retry',
  defs: ['retry'],
};
export const SOCKET: ChunkSketch = {
  path: 'src/socket.go',
  text: 'open socket and read frames',
  language: 'go',
};

export const NO_VECTOR = (): Promise<null> => Promise.resolve(null);
export const NOTHING_ASKED = {
  terms: [],
  identifiers: [],
  limit: 1,
  vectorFor: NO_VECTOR,
} as const;

/** The index of one test, with short ways to fill and to search it. */
export class IndexContext {
  private opened: OpenedIndex | undefined;
  private current: SearchIndex | undefined;

  constructor(private readonly openEmpty: () => Promise<OpenedIndex>) {}

  get index(): SearchIndex {
    if (!this.current) throw new Error('The index is not open');
    return this.current;
  }

  async open(): Promise<void> {
    this.opened = await this.openEmpty();
    this.current = this.opened.index;
  }

  async reopen(): Promise<void> {
    this.current = await this.opened?.reopen();
  }

  async dispose(): Promise<void> {
    await this.opened?.dispose();
  }

  /** Returns the candidates of a query text; `changes` replace parts of the query. */
  async search(
    text: string,
    scope: readonly LiveSource[],
    changes: Partial<CandidateQuery> = {},
  ): Promise<Candidates> {
    return this.index.candidates(this.queryOf(text, scope, changes));
  }

  /** Returns the query of a text over whole sources; `changes` replace parts of it. */
  queryOf(
    text: string,
    scope: readonly LiveSource[],
    changes: Partial<CandidateQuery> = {},
  ): CandidateQuery {
    const query = analyzeQuery(text);
    return {
      tenants: scope.concat(changes.corpus ?? []).map(({ tenantId }) => tenantId),
      scope,
      corpus: scope,
      terms: query.terms,
      vectorFor: async (model) =>
        model === HASH_NGRAM_ID && query.terms.length > 0
          ? embedTerms(query.terms, query.frequencies)
          : null,
      identifiers: query.identifiers,
      limit: 200,
      ...changes,
    };
  }

  /** Applies a generation of one pack. */
  async apply(
    source: IndexedSource,
    generation: number,
    ...sketches: ChunkSketch[]
  ): Promise<LiveSource> {
    await this.index.applyGeneration(
      source.manifest(generation, [source.pack(sketches)]),
      source.readBlob,
    );
    return source.at(generation);
  }

  /** Applies generation 1 with the vectors of a model. */
  async applyBy(
    source: IndexedSource,
    model: SketchModel | LocalModel,
    ...sketches: ChunkSketch[]
  ): Promise<LiveSource> {
    const manifest = source.manifest(1, [source.pack(sketches, [], model)], model);
    await this.index.applyGeneration(manifest, source.readBlob);
    return source.at(1);
  }
}

/** Returns the paths of the candidates, sorted. */
export function found(result: Candidates): string[] {
  return result.candidates.map(({ path }) => path).sort();
}

/** Returns the only candidate. */
export function only(result: Candidates): Candidate {
  expect(result.candidates).toHaveLength(1);
  return result.candidates[0] as Candidate;
}
