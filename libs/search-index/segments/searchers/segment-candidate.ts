import type { ChunkDefinition, ChunkType } from '#contracts';

import type { PackTables } from '../../pack/pack-tables.js';
import { indexIn } from '../../pack/sorted-tables.js';
import type { Candidate } from '../../search-index.port.js';
import type { SegmentView } from '../store/loaded-generation.js';

/**
 * Values that the candidates of one search share per segment of a generation: each name is looked
 * up once.
 */
export class GenerationLookups {
  private readonly definers = new Map<string, Uint32Array>();

  /** @param model of the candidates' cosines; undefined if they have none */
  constructor(
    readonly tables: PackTables,
    readonly model: string | undefined,
    readonly generation: number,
  ) {}

  get sourceId(): string {
    return this.tables.meta.source_id;
  }

  /** Reports whether a chunk defines a name, without reading all its definitions. */
  defines(name: string, chunk: number): boolean {
    let definers = this.definers.get(name);
    if (!definers) this.definers.set(name, (definers = this.tables.definers(name)));
    return indexIn(definers, chunk) !== -1;
  }
}

/** Returns the lookups of a view, with its generation. */
export function lookupsOf(
  { segment: { tables }, source: { tenantId, sourceId, generation } }: SegmentView,
  model: string | undefined,
): GenerationLookups {
  if (tables.meta.tenant_id !== tenantId || tables.meta.source_id !== sourceId) {
    throw new Error('searched a segment of another source; this is a defect');
  }
  return new GenerationLookups(tables, model, generation);
}

/**
 * A found chunk whose fields are read lazily from its segment's tables: a search finds hundreds and
 * returns a few. The tables stay readable after the segment is closed.
 */
export class SegmentCandidate implements Candidate {
  private readonly tables: PackTables;
  private knownPath: string | undefined;
  private decodedDefinitions: readonly ChunkDefinition[] | undefined;
  private ownFrequencies: ArrayLike<number> | undefined;

  /**
   * @param frequencies of the query's terms, in this chunk and possibly in others
   * @param first index of this chunk's frequencies
   * @param terms number of them
   */
  constructor(
    private readonly view: GenerationLookups,
    private readonly chunk: number,
    readonly cosine: number,
    private readonly frequencies: ArrayLike<number>,
    private readonly first = 0,
    private readonly terms = frequencies.length,
  ) {
    this.tables = view.tables;
  }

  get termFrequencies(): ArrayLike<number> {
    return (this.ownFrequencies ??= ownOf(this.frequencies, this.first, this.terms));
  }

  get chunkId(): string {
    return this.tables.chunkId(this.chunk);
  }

  get sourceId(): string {
    return this.view.sourceId;
  }

  get path(): string {
    return (this.knownPath ??= this.tables.cachedPath(this.chunk));
  }

  get startLine(): number | undefined {
    return this.tables.startLine(this.chunk);
  }

  get endLine(): number | undefined {
    return this.tables.endLine(this.chunk);
  }

  get length(): number {
    return this.tables.lengths[this.chunk] as number;
  }

  get symbol(): string | undefined {
    return this.tables.symbol(this.chunk);
  }

  defines(name: string): boolean {
    return this.view.defines(name, this.chunk);
  }

  get chunkType(): ChunkType {
    return this.tables.chunkType(this.chunk);
  }

  get contentHash(): string {
    return this.tables.contentHash(this.chunk);
  }

  get contentNumber(): number {
    return this.tables.contentNumber(this.chunk);
  }

  get endpointKey(): string | undefined {
    return this.tables.endpointKey(this.chunk);
  }

  get schemaHash(): string | undefined {
    return this.tables.schemaHash(this.chunk);
  }

  get cosineModel(): string | undefined {
    return this.view.model;
  }

  /** Orders candidates as their chunk ids would sort. */
  compareId(other: this): number {
    return this.tables.compareIds(this.chunk, other.tables, other.chunk);
  }

  get generation(): number {
    return this.view.generation;
  }

  get fragment(): string | undefined {
    return this.tables.fragment(this.chunk);
  }

  get defs(): readonly string[] {
    return this.tables.defs(this.chunk);
  }

  get definitions(): readonly ChunkDefinition[] {
    return (this.decodedDefinitions ??= this.tables.definitions(this.chunk));
  }

  get language(): string {
    return this.tables.language(this.chunk);
  }

  get tokenCount(): number {
    return this.tables.tokenCount(this.chunk);
  }
}

/** Returns some numbers of a row. A view of them would cost more than their copy. */
function ownOf(row: ArrayLike<number>, first: number, count: number): ArrayLike<number> {
  if (count === row.length) return row;
  const own = new Array<number>(count);
  for (let at = 0; at < count; at += 1) own[at] = row[first + at] as number;
  return own;
}
