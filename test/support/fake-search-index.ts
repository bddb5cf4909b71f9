import type { Manifest } from '#contracts';
import type {
  Candidate,
  Candidates,
  IndexBeside,
  IndexedChunk,
  IndexedDocument,
  IndexedOutline,
  IndexedSymbol,
  LiveSource,
  RankedCandidates,
  SearchIndex,
} from '#search-index';

/** Remembers which generations it was given; it searches nothing. */
export class FakeSearchIndex implements SearchIndex {
  readonly sentences = null;
  readonly loaded = new Map<string, LiveSource & { readonly chunks: number }>();
  readonly applied: string[] = [];
  readonly dropped: string[] = [];
  /** Called before each load; what it throws is what the load fails with. */
  onApply: (manifest: Manifest) => Promise<void> | void = () => undefined;

  async applyGeneration(manifest: Manifest): Promise<number> {
    await this.onApply(manifest);
    const { tenant_id: tenantId, source_id: sourceId, generation } = manifest;
    const key = `${sourceId}/${generation}`;
    this.applied.push(key);
    this.loaded.set(`${tenantId}/${key}`, {
      tenantId,
      sourceId,
      generation,
      chunks: manifest.chunk_count,
    });
    return manifest.chunk_count;
  }

  async dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void> {
    this.dropped.push(`${sourceId}/${generation}`);
    this.loaded.delete(`${tenantId}/${sourceId}/${generation}`);
  }

  async generations(): Promise<readonly LiveSource[]> {
    return [...this.loaded.values()];
  }

  candidates(): Promise<Candidates> {
    return Promise.reject(new Error('Not in this fake'));
  }

  ranked(): Promise<RankedCandidates> {
    return Promise.reject(new Error('Not in this fake'));
  }

  fileChunks(): Promise<readonly Candidate[]> {
    return Promise.reject(new Error('Not in this fake'));
  }

  contents(): Promise<readonly (string | undefined)[]> {
    return Promise.reject(new Error('Not in this fake'));
  }

  document(): Promise<readonly IndexedChunk[]> {
    return Promise.reject(new Error('Not in this fake'));
  }

  outline(): Promise<IndexedOutline> {
    return Promise.reject(new Error('Not in this fake'));
  }

  symbols(): Promise<readonly IndexedSymbol[]> {
    return Promise.reject(new Error('Not in this fake'));
  }

  documents(): AsyncIterable<IndexedDocument> {
    throw new Error('Not in this fake');
  }

  lacksTrigrams(): boolean {
    return false;
  }

  async *chunkIds({ tenantId, sourceId, generation }: LiveSource): AsyncIterable<string> {
    const { chunks = 0 } = this.loaded.get(`${tenantId}/${sourceId}/${generation}`) ?? {};
    for (let chunk = 0; chunk < chunks; chunk += 1) yield String(chunk);
  }

  /** Filled in memory too; loads fail in it as they do here. */
  async buildBeside(): Promise<IndexBeside> {
    const beside = new FakeSearchIndex();
    beside.onApply = (manifest) => this.onApply(manifest);
    return {
      applyGeneration: (manifest) => beside.applyGeneration(manifest),
      dropGeneration: (...ids) => beside.dropGeneration(...ids),
      generations: () => beside.generations(),
      chunkIds: (source) => beside.chunkIds(source),
      takeOver: async ({ tenantId, sourceId, generation }) => {
        const key = `${tenantId}/${sourceId}/${generation}`;
        const known = this.loaded.get(key);
        if (known) beside.loaded.set(key, known);
      },
      show: async (isRequired) => {
        for (const [key, source] of this.loaded)
          if (!beside.loaded.has(key) && isRequired(source)) return false;
        this.loaded.clear();
        for (const [key, source] of beside.loaded) this.loaded.set(key, source);
        return true;
      },
      discard: async () => undefined,
    };
  }

  async close(): Promise<void> {}
}
