import type { Manifest, SourceChunk } from '#contracts';
import { HASH_NGRAM_ID, analyse, embedTerms, weighTerms } from '#retrieval';
import {
  compileChunkFilter,
  type Candidate,
  type CandidateQuery,
  type Candidates,
  type IndexedChunk,
  type LiveSource,
  type SearchIndex,
} from '#search-index';

interface Held {
  readonly source: LiveSource;
  readonly chunk: SourceChunk;
}

/** An index over chunks that a test hands in; it looks at every chunk of the scope. */
export class MemorySearchIndex implements SearchIndex {
  private held: Held[] = [];

  add(source: LiveSource, chunks: readonly SourceChunk[]): void {
    this.held.push(...chunks.map((chunk) => ({ source, chunk })));
  }

  async applyGeneration(manifest: Manifest): Promise<number> {
    throw new Error(`This fake takes chunks by add(), not generation ${manifest.generation}`);
  }

  async dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void> {
    this.held = this.held.filter(({ source }) => !same(source, { tenantId, sourceId, generation }));
  }

  async generations(): Promise<LiveSource[]> {
    return this.held.map(({ source }) => source);
  }

  async candidates(query: CandidateQuery): Promise<Candidates> {
    const vector = await query.vectorFor(HASH_NGRAM_ID);
    const corpus = this.of(query.corpus).map(({ chunk }) => weighed(chunk));
    const accepts = compileChunkFilter(query.filter ?? { paths: [], languages: [] });
    const candidates = this.of(query.scope)
      .filter(({ chunk }) => accepts(chunk))
      .map((held) => toCandidate(held, query, vector))
      .filter(({ termFrequencies, cosine }) => cosine > 0 || Array.from(termFrequencies).some((count) => count > 0))
      .slice(0, query.limit);
    const total = corpus.reduce((sum, { length }) => sum + length, 0);
    return {
      candidates,
      statistics: {
        chunks: corpus.length,
        averageLength: corpus.length === 0 ? 0 : total / corpus.length,
        documentFrequencies: query.terms.map((term) => corpus.filter(({ counts }) => counts.has(term)).length),
      },
    };
  }

  async contents(source: LiveSource, chunkIds: readonly string[]): Promise<(string | undefined)[]> {
    return chunkIds.map((id) => this.of([source]).find(({ chunk }) => chunk.chunk_id === id)?.chunk.content);
  }

  async document(source: LiveSource, path: string): Promise<IndexedChunk[]> {
    return this.of([source])
      .filter(({ chunk }) => chunk.path === path)
      .map(({ chunk }) => ({
        chunkId: chunk.chunk_id,
        sourceId: source.sourceId,
        path,
        ordinal: chunk.ordinal,
        startLine: chunk.start_line,
        endLine: chunk.end_line,
        content: chunk.content,
        tokenCount: chunk.token_count,
        symbol: chunk.symbol,
        language: chunk.language,
        chunkType: chunk.chunk_type,
      }));
  }

  async *chunkIds(source: LiveSource): AsyncGenerator<string> {
    for (const { chunk } of this.of([source])) yield chunk.chunk_id;
  }

  async close(): Promise<void> {
    this.held = [];
  }

  private of(sources: readonly LiveSource[]): Held[] {
    return this.held.filter(({ source }) => sources.some((wanted) => same(source, wanted)));
  }
}

function same(a: LiveSource, b: LiveSource): boolean {
  return a.tenantId === b.tenantId && a.sourceId === b.sourceId && a.generation === b.generation;
}

function weighed(chunk: SourceChunk): { counts: ReadonlyMap<string, number>; length: number } {
  const { terms, frequencies, length } = weighTerms(withSymbol(chunk));
  return { counts: new Map(terms.map((term, at) => [term, frequencies[at] ?? 0])), length };
}

function withSymbol(chunk: SourceChunk) {
  const { path, content, defs, symbol } = chunk;
  return symbol === undefined ? { path, content, defs } : { path, content, defs, symbol };
}

function toCandidate({ source, chunk }: Held, query: CandidateQuery, wanted: Float32Array | null): Candidate {
  const { counts, length } = weighed(chunk);
  const { terms, frequencies } = weighTerms(withSymbol(chunk));
  const vector = embedTerms(terms, frequencies);
  return {
    chunkId: chunk.chunk_id,
    sourceId: source.sourceId,
    generation: source.generation,
    path: chunk.path,
    symbol: chunk.symbol,
    defs: chunk.defs,
    defines: (name) => chunk.defs.includes(name),
    language: chunk.language,
    chunkType: chunk.chunk_type,
    startLine: chunk.start_line,
    endLine: chunk.end_line,
    tokenCount: chunk.token_count,
    contentHash: chunk.content_hash,
    endpointKey: chunk.endpoint_key,
    schemaHash: chunk.schema_hash,
    termFrequencies: Uint8Array.from(query.terms, (term) => counts.get(term) ?? 0),
    length,
    cosine: wanted ? vector.reduce((sum, value, at) => sum + value * (wanted[at] ?? 0), 0) : 0,
    cosineModel: wanted ? HASH_NGRAM_ID : undefined,
  };
}

/** Terms as the index sees a text; for tests that expect a term to be found. */
export const termsOf = analyse;
