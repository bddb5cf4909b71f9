import type { IndexedGeneration, IndexedGenerations } from '#apps/pipeline/indexed-generations';
import type { Manifest, Position, SourceChunk } from '#contracts';
import type { EventStore } from '#event-store';
import type { BlobStore } from '#platform';
import { decodeDropped, isDropped, readPack } from '#search-index';

/**
 * Stands in for the index projection: loads what JobStaged names straight from the packs and keeps
 * the rows in memory.
 */
export class FakeIndex implements IndexedGenerations {
  private readonly rows = new Map<string, IndexedGeneration>();
  private readonly listeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private readonly following: Promise<void>;
  private reached: Position | null = null;
  /** While set, generations stay `loading`. */
  held = false;
  /** While set, generations end as `failed` with this message. */
  failure: string | null = null;
  /** While set, loaded generations have this noted of their content. */
  noted: string | null = null;

  constructor(
    store: EventStore,
    private readonly blobs: BlobStore,
  ) {
    this.following = this.follow(store);
  }

  async state(
    tenantId: string,
    sourceId: string,
    generation: number,
  ): Promise<IndexedGeneration | null> {
    const row = this.rows.get(`${tenantId}/${sourceId}/${generation}`) ?? null;
    if (row && this.noted !== null) return { ...row, message: this.noted };
    return row && this.held ? { ...row, state: 'loading' } : row;
  }

  async nothingLeft(tenantId: string, upTo: Position | null): Promise<boolean> {
    return (
      (await this.hasTakenIn(upTo)) &&
      ![...this.rows.keys()].some((key) => key.startsWith(`${tenantId}/`))
    );
  }

  async hasTakenIn(upTo: Position | null): Promise<boolean> {
    return upTo === null || (this.reached !== null && this.reached >= upTo);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  /** The chunks that a generation consists of, by what its manifest and packs say. */
  async chunksOf(manifestHash: string): Promise<SourceChunk[]> {
    const manifest = JSON.parse(
      Buffer.from(await this.blobs.get(manifestHash)).toString(),
    ) as Manifest;
    const chunks: SourceChunk[] = [];
    for (const { hash, chunks: count, dropped } of manifest.packs) {
      const pack = readPack(await this.blobs.get(hash));
      const bitmap = decodeDropped(dropped, count);
      for (let chunk = 0; chunk < count; chunk += 1)
        if (!isDropped(bitmap, chunk)) chunks.push(pack.chunk(chunk));
    }
    return chunks;
  }

  private async follow(store: EventStore): Promise<void> {
    const { signal } = this.stopping;
    const filter = { types: ['JobStaged', 'GenerationDropped', 'SourceRemoved'] };
    for await (const delivery of store.subscribe({ after: 'start', filter, signal })) {
      if (delivery.kind !== 'event') continue;
      const { data, metadata, position, type } = delivery.event;
      this.reached = position;
      if (type === 'SourceRemoved') continue;
      if (type === 'GenerationDropped') {
        const dropped = data as { source_id: string; generation: number };
        this.rows.delete(`${metadata.tenant_id}/${dropped.source_id}/${dropped.generation}`);
        continue;
      }
      const { source_id, generation, manifest } = data as {
        source_id: string;
        generation: number;
        manifest: string;
      };
      const { length } = await this.chunksOf(manifest);
      const row: IndexedGeneration = this.failure
        ? { state: 'failed', chunk_count: 0, message: this.failure }
        : { state: 'ready', chunk_count: length };
      this.rows.set(`${metadata.tenant_id}/${source_id}/${generation}`, row);
      this.listeners.forEach((listener) => listener());
    }
  }
}
