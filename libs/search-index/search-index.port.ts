import type { ChunkDefinition, ChunkType, DefinitionPlace, Manifest } from '#contracts';
import type { RequiredText } from '#contracts/content/required-text';
import type { QuantizedVector } from '#retrieval';

import type { Candidate } from './candidate.js';
import type { ChunkFilter } from './chunk-filter.js';
import type { DefinitionSpan } from './definition-span.js';
import type { StoredDocument } from './pack/stored-document.js';
import type { RankedCandidates, RankingQuery } from './ranking.types.js';
import type { SymbolMatch } from './symbol-match.js';

export type { Candidate } from './candidate.js';

/**
 * Version of the retrievers. Receipts record it, so raise it with each change of what they find.
 * Version 1 compared every vector. Since 2 an engine may find the nearest in two steps. Version 2
 * compared a fixed share of the vectors exactly. Version 3 compares as many as the estimates need.
 */
export const RETRIEVAL_VERSION = 3;

/** A source at the generation that searches see. */
export interface LiveSource {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly generation: number;
}

export interface CandidateQuery {
  /**
   * The tenants whose content the caller may see. A `scope` or `corpus` with a source of another
   * tenant is rejected.
   */
  readonly tenants: readonly string[];
  /** The sources to search, after the request's filters. */
  readonly scope: readonly LiveSource[];
  /**
   * The base of statistics (N, average length, document frequency): everything live of the tenant.
   */
  readonly corpus: readonly LiveSource[];
  /** Distinct analyzed query terms. */
  readonly terms: readonly string[];
  /**
   * Returns the query's vector by a model; null if the model is unavailable, or the query has no
   * vector in it. Called at most once for each distinct model of the scope's generations; vectors
   * of two models are never compared. `candidates` throws its errors.
   */
  readonly vectorFor: (embedderId: string) => Promise<Float32Array | null>;
  /** Exact names for the definition retriever. */
  readonly identifiers: readonly string[];
  /** Candidates per retriever. */
  readonly limit: number;
  /** Keeps only matching chunks; applied before every retriever is cut to `limit`. */
  readonly filter?: ChunkFilter;
  /**
   * Version of the retrievers, so that an old search can be repeated. Default: the current one.
   * OpenSearch has one way for all.
   */
  readonly retrievalVersion?: number;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly statistics: {
    readonly chunks: number;
    readonly averageLength: number;
    /** In the order of the query's terms. */
    readonly documentFrequencies: readonly number[];
  };
  /** Number of chunks of the scope; null if a filter excluded an uncounted number of them. */
  readonly searched: number | null;
}

/** A file to read chunks of. */
export interface IndexedFile {
  readonly source: LiveSource;
  /** The path of its chunks, as in `Candidate`. */
  readonly path: string;
}

export interface FileChunksQuery extends Pick<CandidateQuery, 'tenants' | 'terms' | 'vectorFor'> {
  /** Distinct files. A source of a tenant outside `tenants` is rejected. */
  readonly files: readonly IndexedFile[];
  /** Most chunks of one file: the first in document order. */
  readonly limit: number;
}

/** A chunk as stored in the index, text included. */
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
  /** White space of the file before the chunk; undefined if the sync did not record it. */
  readonly before: string | undefined;
  /** White space from the last chunk to the end of the file. */
  readonly after: string | undefined;
}

/** A document as its chunks hold it. */
export interface IndexedDocument {
  readonly path: string;
  /** Language of its first chunk. */
  readonly language: string;
  /** Places from which other threads can read its text; undefined if they need its chunks. */
  readonly stored: StoredDocument | undefined;
  /** Returns its chunks in the order of the document. */
  readonly chunks: () => Promise<readonly IndexedChunk[]>;
  /** Returns the symbol of a chunk, by its index in the order of the document. */
  readonly symbolOf: (chunk: number) => string | undefined;
  /** Returns the lines of its definitions, in any order. */
  readonly definitions: () => readonly DefinitionSpan[];
  /** Returns what the document defines, of the content that was read. */
  readonly outline: () => IndexedOutline;
}

/** Documents in a row that the index excludes, between those before and after them. */
export interface ExcludedDocuments {
  readonly excluded: number;
}

/** The definitions of a document, as its chunks record them. */
export interface IndexedOutline {
  /** In the order of the document; lines end where the chunk ends that has the name. */
  readonly definitions: readonly ChunkDefinition[];
  /** Names of definitions whose lines were not recorded, each once. */
  readonly unplaced: readonly string[];
}

export interface SymbolQuery extends Pick<CandidateQuery, 'tenants' | 'scope' | 'filter'> {
  readonly match: SymbolMatch;
  /** Maximum definitions: the first by id of the source, path and place. */
  readonly limit: number;
}

/** A definition whose name matches. */
export interface IndexedSymbol {
  readonly source: LiveSource;
  readonly path: string;
  readonly fragment: string | undefined;
  readonly language: string;
  readonly name: string;
  /** `Class.method`; of a definition without lines the symbol of its passage. */
  readonly symbol: string;
  /** Lines of the definition, or else of its passage; undefined where lines mean nothing. */
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  /** Undefined if an earlier version indexed the content. */
  readonly place: DefinitionPlace | undefined;
}

/** The documents of a generation to read. Default: all. */
export interface DocumentRange {
  /** The first path, in the order of UTF-8 bytes. */
  readonly from?: string | undefined;
  /** Keeps only documents whose path and first language match. */
  readonly filter?: ChunkFilter | undefined;
  /**
   * The texts that are of interest. An engine may leave out the chunks of documents that do not
   * meet the condition; it returns the documents all the same.
   */
  readonly required?: RequiredText | undefined;
}

export interface SentenceQuery extends Pick<
  CandidateQuery,
  'tenants' | 'scope' | 'terms' | 'vectorFor' | 'limit' | 'filter'
> {
  /** The encoder of the vector. */
  readonly encoder: string;
  readonly vector: QuantizedVector;
}

/** A passage to embed. */
export interface SentencePassage {
  readonly path: string;
  readonly symbol?: string;
  readonly defs: readonly string[];
  readonly content: string;
}

/** The next passages of a pack without a vector, in the order of the pack. */
export interface SentenceBatch {
  readonly tenantId: string;
  readonly pack: string;
  /** Index of the first passage in the pack. */
  readonly first: number;
  readonly passages: readonly SentencePassage[];
}

/** A chunk near the vector of a query. */
export interface NearestSentence {
  readonly candidate: Candidate;
  /** Cosine of the two vectors, −1 to 1. */
  readonly similarity: number;
}

/**
 * Vectors of sentences that a neural encoder computes after publication. They belong to packs: they
 * leave with the last generation that has the pack. They can be computed again at any time.
 */
export interface SentenceIndex {
  /** Encoder of the vectors; vectors of any other one are never stored. */
  readonly encoder: string;
  /** Reports whether every chunk of a generation has its vector; only then it can be searched. */
  covers(source: LiveSource): boolean;
  /** Returns the share of the chunks of a generation with a vector, 0–1; 1 without chunks. */
  share(source: LiveSource): number;
  /**
   * Returns the nearest chunks of covered generations, the nearest first. Generations that are not
   * covered are left out.
   *
   * @throws as `SearchIndex.candidates` does
   */
  nearest(query: SentenceQuery): Promise<readonly NearestSentence[]>;
  /**
   * Returns passages without vectors; undefined if there are none. Unchanged chunks take over the
   * vector of another generation of their source first.
   */
  next(sources: readonly LiveSource[], limit: number): Promise<SentenceBatch | undefined>;
  /** Stores the vectors of a batch, durably; ignored if its pack has left or moved on. */
  add(batch: SentenceBatch, vectors: readonly Float32Array[]): Promise<void>;
}

/** The part of an index that loads generations and reports on them, without searches. */
export interface GenerationStore {
  /**
   * Loads a generation. Applying it twice changes nothing.
   * @returns the number of its chunks in the index.
   */
  applyGeneration(
    manifest: Manifest,
    readBlob: (hash: string) => Promise<Uint8Array>,
  ): Promise<number>;
  /**
   * Removes a generation; files that no other generation names are removed after their last reader.
   */
  dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void>;
  /** Returns the loaded generations. */
  generations(): Promise<readonly LiveSource[]>;
  /** Returns the ids of every chunk of a generation, for the invariant checks. */
  chunkIds(source: LiveSource): AsyncIterable<string>;
}

/**
 * An index that is built next to the serving one, independent of its lost or damaged data. It is
 * not searched before it is shown.
 */
export interface IndexBeside extends GenerationStore {
  /**
   * Copies a generation from the serving index if its content is lost, so that it cannot be loaded.
   * Changes nothing if that index lacks it or cannot read it completely.
   */
  takeOver(source: LiveSource): Promise<void>;
  /**
   * Replaces the serving index by this one, in one step, for searches and after a crash; the other
   * one is removed.
   * @param isRequired whether a generation of the serving index must be in this one too.
   * @returns false, with nothing changed, if this one lacks a required generation.
   */
  show(isRequired: (source: LiveSource) => boolean): Promise<boolean>;
  /** Removes the build, unless it was shown. */
  discard(): Promise<void>;
}

/**
 * Finds candidates; it does not rank. Disposable: all its content comes from packs and manifests.
 * It does not decide what is visible: each call names the live generations, and nothing else is
 * ever returned.
 */
export interface SearchIndex extends GenerationStore {
  /** Vectors of sentences; null if no encoder is installed, or the engine stores none. */
  readonly sentences: SentenceIndex | null;
  /**
   * @throws FootnoteError `engine_unavailable` if the engine or a named generation is unavailable:
   * never a wrong empty answer. FootnoteError `search_too_costly` if the query exceeds its budget,
   * which does not affect other searches. Error for a query without a tenant, or with a source of
   * another one (`tenant-wall.ts`).
   */
  candidates(query: CandidateQuery): Promise<Candidates>;
  /**
   * Ranks the candidates of a query. The result equals that of the ranker (`rank`) for what
   * `candidates` returns; an engine may rank in its own thread.
   *
   * @param ranking whose `sourceOf` knows each source of the scope
   * @throws as `candidates` does.
   */
  ranked(query: CandidateQuery, ranking: RankingQuery): Promise<RankedCandidates>;
  /**
   * Returns the chunks of files, also those that no retriever finds, ordered by id. Each has the
   * values that `candidates` gives for the same terms and vector. A missing file has no chunks.
   *
   * @throws as `candidates` does.
   */
  fileChunks(query: FileChunksQuery): Promise<readonly Candidate[]>;
  /**
   * Returns the text of chunks, in the given order; undefined if the generation has no such chunk.
   */
  contents(
    source: LiveSource,
    chunkIds: readonly string[],
  ): Promise<readonly (string | undefined)[]>;
  /** Returns all chunks of one document of a source, by its path without fragment, in order. */
  document(source: LiveSource, path: string): Promise<readonly IndexedChunk[]>;
  /** Returns what one document defines, without its text; nothing for an unknown path. */
  outline(source: LiveSource, path: string): Promise<IndexedOutline>;
  /**
   * Returns the definitions whose names match, by id of the source, UTF-8 bytes of the path, and
   * place in the document.
   *
   * @throws as `candidates` does.
   */
  symbols(query: SymbolQuery): Promise<readonly IndexedSymbol[]>;
  /**
   * Reads the documents of a source one by one, ascending by the UTF-8 bytes of their paths. It
   * yields to other work of the process, and ends with an error if the generation is dropped.
   */
  documents(
    source: LiveSource,
    range?: DocumentRange,
  ): AsyncIterable<IndexedDocument | ExcludedDocuments>;
  /**
   * Reports whether an earlier version indexed some content of a loaded generation, so that
   * `DocumentRange.required` leaves nothing of it out. False in engines that never leave text out.
   */
  lacksTrigrams(source: LiveSource): boolean;
  /**
   * Starts an empty index next to this one; an earlier unfinished build is removed. One at a time.
   */
  buildBeside(): Promise<IndexBeside>;
  close(): Promise<void>;
}

/** Injection token of the port. */
export const SEARCH_INDEX = Symbol('SearchIndex');
