import type { ChunkType } from '#contracts';

import type { Candidate, LiveSource } from '../../search-index.port.js';
import type { RankingMeta } from '../ranking-data.js';

/** What the query made of a row. */
export interface RowMatch {
  readonly termFrequencies: readonly number[];
  readonly cosine: number;
  readonly cosineModel: string | undefined;
}

/** A candidate that is read from what its row says. */
export class RowCandidate implements Candidate {
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

  get symbol(): string | undefined {
    return this.meta.symbol;
  }

  get defs(): readonly string[] {
    return this.meta.defs;
  }

  defines(name: string): boolean {
    return this.meta.defs.includes(name);
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
