import type { ChunkDefinition, ChunkType } from '#contracts';
import { BM25_B, BM25_K1, inverseDocumentFrequency, type QuantizedVector } from '#retrieval';

import type { Candidate, Candidates, LiveSource } from '../../search-index.port.js';
import { type RankingData, type RankingMeta, termNeedle } from '../ranking-data.js';
import type { ExactWeights } from './server-scores.js';

/** Query values that complete a found row. */
export interface QueryValues {
  readonly terms: readonly string[];
  readonly statistics: Candidates['statistics'];
  /** The query's vector by the model of a generation; missing if there is nothing to compare. */
  readonly vectors: ReadonlyMap<string, QuantizedVector>;
  /** Returns the generation of a source in the scope. */
  readonly sourceOf: (tenantId: string, sourceId: string) => LiveSource | undefined;
}

/** Returns the values of BM25 that are equal for all rows. */
export function exactWeights(statistics: Candidates['statistics']): ExactWeights {
  const { chunks, averageLength, documentFrequencies } = statistics;
  return {
    weights: documentFrequencies.map((count) => inverseDocumentFrequency(chunks, count)),
    slope: (BM25_K1 * BM25_B) / (averageLength || 1),
  };
}

/** A candidate with the scores that the retrievers are cut by. */
export interface FoundChunk {
  readonly candidate: Candidate;
  /** BM25 of the query's terms, by the statistics of the query. */
  readonly termScore: number;
}

/**
 * Completes rows from their ranking data: every value is computed here and exactly, whichever
 * retriever found the row.
 */
export class ChunkCompleter {
  private readonly needles: readonly Buffer[];
  private readonly exact: ExactWeights;
  private readonly known = new Map<RankingData, FoundChunk>();

  constructor(private readonly query: QueryValues) {
    const { terms, statistics } = query;
    this.needles = terms.map(termNeedle);
    this.exact = exactWeights(statistics);
  }

  complete(data: RankingData): FoundChunk {
    const again = this.known.get(data);
    if (again) return again;
    const { meta, scale, vector } = data;
    const source = this.query.sourceOf(meta.tenant_id, meta.source_id);
    if (!source) throw new Error('found a row of another source; this is a defect');
    const termFrequencies = this.needles.map((needle) => data.frequencyOf(needle));
    const queryVector = this.query.vectors.get(meta.embedder);
    const isComparable = queryVector?.q.length === vector.length;
    const candidate = new RowCandidate(meta, source, {
      termFrequencies,
      cosine: isComparable ? dotProduct(queryVector.q, vector) * scale * queryVector.scale : 0,
      cosineModel: isComparable ? meta.embedder : undefined,
    });
    const found = { candidate, termScore: this.termScore(termFrequencies, meta.length) };
    this.known.set(data, found);
    return found;
  }

  /**
   * Adds the contributions in the order and precision of the embedded engine, so that equal chunks
   * are cut alike.
   */
  private termScore(frequencies: readonly number[], length: number): number {
    const { weights, slope } = this.exact;
    const base = BM25_K1 * (1 - BM25_B);
    let score = 0;
    frequencies.forEach((frequency, at) => {
      if (frequency === 0) return;
      const contribution =
        ((weights[at] as number) * frequency) / (frequency + base + slope * length);
      score = Math.fround(score + contribution);
    });
    return score;
  }
}

function dotProduct(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Values that the query computed for a row. */
interface RowMatch {
  readonly termFrequencies: readonly number[];
  readonly cosine: number;
  readonly cosineModel: string | undefined;
}

/** A candidate that reads its row's ranking data. */
class RowCandidate implements Candidate {
  readonly sourceId: string;
  readonly generation: number;
  readonly termFrequencies: readonly number[];
  readonly cosine: number;
  readonly cosineModel: string | undefined;

  constructor(
    private readonly meta: RankingMeta,
    { sourceId, generation }: LiveSource,
    { termFrequencies, cosine, cosineModel }: RowMatch,
  ) {
    this.sourceId = sourceId;
    this.generation = generation;
    this.termFrequencies = termFrequencies;
    this.cosine = cosine;
    this.cosineModel = cosineModel;
  }

  get chunkId(): string {
    return this.meta.chunk_id;
  }

  get path(): string {
    return this.meta.path;
  }

  get fragment(): string | undefined {
    return this.meta.fragment;
  }

  get symbol(): string | undefined {
    return this.meta.symbol;
  }

  get defs(): readonly string[] {
    return this.meta.defs;
  }

  defines(name: string): boolean {
    return this.meta.defs.includes(name);
  }

  get definitions(): readonly ChunkDefinition[] {
    return this.meta.definitions ?? [];
  }

  get language(): string {
    return this.meta.language;
  }

  get chunkType(): ChunkType {
    return this.meta.chunk_type;
  }

  get startLine(): number | undefined {
    return this.meta.start_line;
  }

  get endLine(): number | undefined {
    return this.meta.end_line;
  }

  get tokenCount(): number {
    return this.meta.token_count;
  }

  get contentHash(): string {
    return this.meta.content_hash;
  }

  get endpointKey(): string | undefined {
    return this.meta.endpoint_key;
  }

  get schemaHash(): string | undefined {
    return this.meta.schema_hash;
  }

  get length(): number {
    return this.meta.length;
  }
}
