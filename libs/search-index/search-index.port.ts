import type { ChunkDefinition, ChunkType, Manifest } from '#contracts';

import type { ChunkFilter } from './chunk-filter.js';

/** A source at the generation that searches see. */
export interface LiveSource {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly generation: number;
}

export interface CandidateQuery {
  /**
   * Whose content the caller may see, by whom it is: `scope` and `corpus` are refused where they
   * name a source of anybody else.
   */
  readonly tenants: readonly string[];
  /** Where to look: the sources that the request's filters left. */
  readonly scope: readonly LiveSource[];
  /**
   * What statistics (N, average length, document frequency) are taken over: everything live of the
   * tenant.
   */
  readonly corpus: readonly LiveSource[];
  /** Distinct analysed query terms. */
  readonly terms: readonly string[];
  /**
   * The query's vector by a model, or null when there is none: the model is not at hand, or the
   * query says nothing to it. Asked at most once for each distinct model of the scope's
   * generations; vectors of two models are never compared. What it throws is what `candidates`
   * throws.
   */
  readonly vectorFor: (embedderId: string) => Promise<Float32Array | null>;
  /** Exact names for the definition leg. */
  readonly identifiers: readonly string[];
  /** Candidates per leg. */
  readonly limit: number;
  /** Keeps only matching chunks; every leg sees it before it is cut to `limit`. */
  readonly filter?: ChunkFilter;
}

/** A chunk that some leg found, with everything the ranker needs. */
export interface Candidate {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly generation: number;
  /** Of the document. */
  readonly path: string;
  /** Where in the document, as the end of a URL; see `Chunk`. */
  readonly fragment: string | undefined;
  readonly symbol: string | undefined;
  readonly defs: readonly string[];
  /** Whether a name is one of `defs`; an engine may know without having them all. */
  defines(name: string): boolean;
  /**
   * Where `defs` stand, in the file's order; none where the content was indexed by a version that
   * did not note it.
   */
  readonly definitions: readonly ChunkDefinition[];
  readonly language: string;
  readonly chunkType: ChunkType;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  readonly tokenCount: number;
  readonly contentHash: string;
  readonly endpointKey: string | undefined;
  readonly schemaHash: string | undefined;
  /** Weighted frequency of each of the query's terms, in their order. */
  readonly termFrequencies: ArrayLike<number>;
  /** Weighted length of the chunk in terms. */
  readonly length: number;
  /** Cosine with the query vector, or 0 where there is none. */
  readonly cosine: number;
  /**
   * The model that `cosine` comes from; undefined where no query vector could be compared, and only
   * the terms speak.
   */
  readonly cosineModel: string | undefined;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly statistics: {
    readonly chunks: number;
    readonly averageLength: number;
    /** In the order of the query's terms. */
    readonly documentFrequencies: readonly number[];
  };
  /**
   * How many chunks the scope has; null where a filter left some of them out, which nobody counts.
   */
  readonly searched: number | null;
}

/** A chunk as it lies in the index, text included. */
export interface IndexedChunk {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly path: string;
  readonly fragment: string | undefined;
  readonly ordinal: number;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  readonly content: string;
  readonly tokenCount: number;
  readonly symbol: string | undefined;
  readonly language: string;
  readonly chunkType: ChunkType;
}

/** What is loaded into an index and told of it, searches apart. */
export interface GenerationStore {
  /**
   * Loads a generation. Applying it twice changes nothing. @returns how many chunks the generation
   * has in the index.
   */
  applyGeneration(
    manifest: Manifest,
    readBlob: (hash: string) => Promise<Uint8Array>,
  ): Promise<number>;
  /** Forgets a generation; files that no kept generation names go when their last reader leaves. */
  dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void>;
  /** The generations it has loaded. */
  generations(): Promise<readonly LiveSource[]>;
  /** Ids of every chunk of a generation, for the invariant checks. */
  chunkIds(source: LiveSource): AsyncIterable<string>;
}

/**
 * An index that is filled beside the one that serves, with nothing of it: what that one lost or has
 * damaged is there again. Nobody searches it before it is shown.
 */
export interface IndexBeside extends GenerationStore {
  /**
   * Copies a generation that cannot be loaded any more, its content being lost, as the index that
   * serves has it. Changes nothing where that one has not got it or cannot read it whole.
   */
  takeOver(source: LiveSource): Promise<void>;
  /**
   * Puts it in the place of the index that serves, in one step, for searches as after a crash; that
   * one is removed.
   * @param isRequired whether a generation of the one that serves has to be in this one too
   * @returns false, with nothing changed, when this one lacks a required generation
   */
  show(isRequired: (source: LiveSource) => boolean): Promise<boolean>;
  /** Removes it, unless it was shown. */
  discard(): Promise<void>;
}

/**
 * Finds candidates; it does not rank. Disposable: everything in it comes from packs and manifests.
 * What is visible is not its decision either: each call names the live generations, and nothing
 * else is ever returned.
 */
export interface SearchIndex extends GenerationStore {
  /**
   * @throws FootnoteError `engine_unavailable` when the engine or a named generation cannot be had:
   * never a wrong empty answer; `search_too_costly` when the query takes more than its budget,
   * which leaves other searches as they are; Error for a query that names no tenant, or a source of
   * another (`tenant-wall.ts`).
   */
  candidates(query: CandidateQuery): Promise<Candidates>;
  /** Text of chunks, in the order asked; undefined where the generation has no such chunk. */
  contents(
    source: LiveSource,
    chunkIds: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
  /** All chunks of one document of a source, by its path without fragment, in order. */
  document(source: LiveSource, path: string): Promise<readonly IndexedChunk[]>;
  /**
   * Begins an empty index beside this one; what an earlier build left is removed. One at a time.
   */
  buildBeside(): Promise<IndexBeside>;
  close(): Promise<void>;
}

/** Injection token of the port. */
export const SEARCH_INDEX = Symbol('SearchIndex');
