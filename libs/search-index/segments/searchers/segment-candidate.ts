import type { ChunkDefinition, ChunkType } from '#contracts';

import type { PackTables } from '../../pack/pack-tables.js';
import { indexIn } from '../../pack/sorted-tables.js';
import type { Candidate } from '../../search-index.port.js';
import type { SegmentView } from '../store/loaded-generation.js';

/**
 * Lookups that the candidates of one search share per segment: each path is decoded once, each name
 * looked up once.
 */
export class ViewLookups {
  private readonly paths = new Map<number, string>();
  private readonly definers = new Map<string, Uint32Array>();

  constructor(private readonly tables: PackTables) {}

  path(chunk: number): string {
    const id = this.tables.pathId(chunk);
    let path = this.paths.get(id);
    if (path === undefined) this.paths.set(id, (path = this.tables.strings.at(id)));
    return path;
  }

  /** Reports whether a chunk defines a name, without reading all its definitions. */
  defines(name: string, chunk: number): boolean {
    let definers = this.definers.get(name);
    if (!definers) this.definers.set(name, (definers = this.tables.definers(name)));
    return indexIn(definers, chunk) !== -1;
  }
}

/**
 * A candidate that reads most of its fields lazily from its segment's tables: a search ranks
 * hundreds and returns a few. The tables stay readable after the segment is closed.
 */
export class SegmentCandidate implements Candidate {
  readonly chunkId: string;
  readonly path: string;
  readonly sourceId: string;
  readonly generation: number;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  readonly length: number;
  private readonly tables: PackTables;

  constructor(
    { segment, source }: SegmentView,
    private readonly chunk: number,
    private readonly lookups: ViewLookups,
    readonly termFrequencies: ArrayLike<number>,
    readonly cosine: number,
    readonly cosineModel: string | undefined,
  ) {
    const { tables } = segment;
    const { tenantId, sourceId, generation } = source;
    if (tables.meta.tenant_id !== tenantId || tables.meta.source_id !== sourceId) {
      throw new Error('searched a segment of another source; this is a defect');
    }
    this.tables = tables;
    this.chunkId = tables.chunkId(chunk);
    this.path = lookups.path(chunk);
    this.sourceId = sourceId;
    this.generation = generation;
    this.startLine = tables.startLine(chunk);
    this.endLine = tables.endLine(chunk);
    this.length = tables.lengths[chunk] as number;
  }

  get fragment(): string | undefined {
    return this.tables.fragment(this.chunk);
  }

  get symbol(): string | undefined {
    return this.tables.symbol(this.chunk);
  }

  get defs(): readonly string[] {
    return this.tables.defs(this.chunk);
  }

  defines(name: string): boolean {
    return this.lookups.defines(name, this.chunk);
  }

  get definitions(): readonly ChunkDefinition[] {
    return this.tables.definitions(this.chunk);
  }

  get language(): string {
    return this.tables.language(this.chunk);
  }

  get chunkType(): ChunkType {
    return this.tables.chunkType(this.chunk);
  }

  get tokenCount(): number {
    return this.tables.tokenCount(this.chunk);
  }

  get contentHash(): string {
    return this.tables.contentHash(this.chunk);
  }

  get endpointKey(): string | undefined {
    return this.tables.endpointKey(this.chunk);
  }

  get schemaHash(): string | undefined {
    return this.tables.schemaHash(this.chunk);
  }

  /** Orders candidates as their chunk ids would sort. */
  compareId(other: SegmentCandidate): number {
    return this.tables.compareIds(this.chunk, other.tables, other.chunk);
  }
}
