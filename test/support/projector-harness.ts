import { createProjector, type Projector } from '#apps/projector/projector';
import type { DomainEvent, EventMetadata, Manifest, RecordedEvent, StreamName } from '#contracts';
import { STREAM_KINDS } from '#domain/streams';
import {
  BlobCorruptError,
  BlobNotFoundError,
  type BlobStore,
  type Logger,
  silentLogger,
} from '#platform';
import { type ProjectionName, ReadModel, SCHEMA } from '#read-model';

import { FakeSearchIndex } from './fake-search-index.js';
import { MemoryEventStore } from './memory-event-store.js';
import { proposed } from './sample-events.js';

/** A blob store that holds what a test put there. */
export class FakeBlobs implements BlobStore {
  private readonly blobs = new Map<string, Uint8Array>();
  private readonly damaged = new Set<string>();

  /** Loses a blob. */
  remove(hash: string): void {
    this.blobs.delete(hash);
  }

  /** Leaves a blob there whose bytes are not those of its name. */
  damage(hash: string): void {
    this.damaged.add(hash);
  }

  putAs(hash: string, value: unknown): void {
    this.damaged.delete(hash);
    this.blobs.set(hash, Buffer.from(JSON.stringify(value)));
  }

  async get(hash: string): Promise<Uint8Array> {
    const blob = this.blobs.get(hash);
    if (!blob) throw new BlobNotFoundError(hash);
    if (this.damaged.has(hash)) throw new BlobCorruptError(hash);
    return blob;
  }

  async has(hash: string): Promise<boolean> {
    return this.blobs.has(hash);
  }

  put(): Promise<string> {
    return Promise.reject(new Error('Not in this fake'));
  }

  readStart(): Promise<Uint8Array> {
    return Promise.reject(new Error('Not in this fake'));
  }

  deleteIfOlder(): Promise<boolean> {
    return Promise.reject(new Error('Not in this fake'));
  }

  delete(): Promise<void> {
    return Promise.reject(new Error('Not in this fake'));
  }

  async *list(): AsyncIterable<never> {}
}

/** A projector over a log in memory, on a read model that the caller opened. */
export class ProjectorHarness {
  readonly store = new MemoryEventStore();
  readonly blobs = new FakeBlobs();
  readonly searchIndex = new FakeSearchIndex();

  constructor(readonly readModel: ReadModel) {}

  /** Records events; each stream is named after the id that its event carries. */
  given(
    ...events: readonly (DomainEvent & { readonly by?: Partial<EventMetadata> })[]
  ): readonly RecordedEvent[] {
    return events.map(({ by, ...event }) =>
      this.store.record(streamOf(event), proposed(event, by)),
    );
  }

  projector(maxBatch = 500, logger: Logger = silentLogger): Projector {
    const { store: eventStore, readModel, searchIndex, blobs } = this;
    return createProjector({
      eventStore,
      readModel,
      searchIndex,
      blobs,
      logger,
      maxBatch,
    });
  }

  /** Runs a projector until everything recorded so far is applied. */
  async project(maxBatch = 500): Promise<void> {
    const projector = this.projector(maxBatch);
    await projector.start();
    try {
      await projector.caughtUp();
    } finally {
      await projector.stop();
    }
  }

  /** A table's rows as JSON text, ordered by key. */
  async dump(name: ProjectionName): Promise<string> {
    const rows = await this.readModel.dataSource.query<{ row: string }[]>(
      `select to_jsonb(t)::text as row from ${SCHEMA}.${name} t order by 1`,
    );
    return rows.map(({ row }) => row).join('\n');
  }
}

/** A manifest blob as the index stage would leave it. */
export function sampleManifest(
  tenantId: string,
  sourceId: string,
  generation: number,
  chunks: number,
): Manifest {
  return {
    format: 1,
    tenant_id: tenantId,
    source_id: sourceId,
    generation,
    version_ref: `v${generation}`,
    recipe: 'r',
    analyzer: 'a',
    embedder: { id: 'e', dimensions: 8 },
    documents: [],
    packs: [],
    file_count: 1,
    chunk_count: chunks,
  };
}

/** The fields that the name of a stream provides and not every event of it does. */
const UNSAID: Readonly<Record<string, string>> = { tenant_id: 'tenant', metric: 'search' };

/** The stream that an event belongs into, by the pattern of its kind. */
function streamOf({ type, data }: DomainEvent): StreamName {
  const kind = Object.values(STREAM_KINDS).find(({ events }) => type in events);
  if (!kind) throw new Error(`No kind of stream knows ${type}`);
  const said = { ...UNSAID, ...data } as Readonly<Record<string, unknown>>;
  return kind.pattern.replace(/<(\w+)>/g, (_, field: string) => String(said[field])) as StreamName;
}
