import { typeNumber } from '#retrieval/ranking/chunk-type';
import type { ColumnMemory } from '#retrieval/ranking/column-memory';
import type { PathFacts } from '#retrieval/ranking/path-facts';
import { NO_LINE, type RankInput } from '#retrieval/ranking/rank-input';

import type { PackTables } from '../../pack/pack-tables.js';
import { indexIn } from '../../pack/sorted-tables.js';
import type { FoundSlice } from '../scan/found-slice.js';
import { type QueryVectors, vectorOf } from '../scan/search-slice.js';
import type { SearchedView } from '../scan/searched-view.js';
import { termCount } from './found-candidates.js';
import type { KeptForRanking } from './kept-for-ranking.js';
import { SliceFiles } from './slice-files.js';

/**
 * The chunks of a slice as the input of the ranker, which reads their fields in place. A slice is
 * ordered by id.
 */
export class SliceInput implements RankInput {
  readonly memory: ColumnMemory;
  readonly count: number;
  readonly terms: number;
  readonly frequencies: Uint8Array;
  readonly cosines: Float64Array;
  /** The views of the chunks. */
  readonly groups: Uint32Array;
  readonly lengths: Uint32Array;
  readonly chunkTypes: Uint8Array;
  readonly startLines: Uint32Array;
  readonly endLines: Uint32Array;
  readonly contentNumbers: Uint32Array;
  private readonly pathIds: Uint32Array;
  private readonly chunks: Uint32Array;
  /** Tables of each view with chunks. */
  private readonly tables: PackTables[];
  private readonly files: SliceFiles;

  constructor(
    private readonly scope: readonly SearchedView[],
    found: FoundSlice,
    private readonly vectors: QueryVectors,
    { paths, memory }: KeptForRanking,
  ) {
    this.memory = memory;
    this.count = found.chunks.length;
    this.terms = termCount(found);
    this.frequencies = found.frequencies;
    this.cosines = found.cosines;
    this.groups = found.views;
    this.chunks = found.chunks;
    this.tables = scope.map(({ segment }) => segment.tables);
    this.files = new SliceFiles(paths);
    this.lengths = memory.numbers(this.count);
    this.chunkTypes = memory.bytes(this.count);
    this.startLines = memory.numbers(this.count);
    this.endLines = memory.numbers(this.count);
    this.contentNumbers = memory.numbers(this.count);
    this.pathIds = memory.numbers(this.count);
    this.gather();
  }

  /**
   * Reads the fields that each ranking needs of each chunk. Chunks lie far apart in memory; a loop
   * of reads alone waits for several of them at a time.
   */
  private gather(): void {
    for (let at = 0; at < this.count; at += 1) {
      const tables = this.tablesAt(at);
      const chunk = this.chunkAt(at);
      this.pathIds[at] = tables.pathId(chunk);
      this.startLines[at] = tables.startLine(chunk) ?? NO_LINE;
      this.endLines[at] = tables.endLine(chunk) ?? NO_LINE;
      this.chunkTypes[at] = typeNumber(tables.chunkType(chunk));
      this.lengths[at] = tables.lengths[chunk] as number;
      this.contentNumbers[at] = tables.contentNumber(chunk);
    }
  }

  sourceId(group: number): string {
    return (this.tables[group] as PackTables).meta.source_id;
  }

  cosineModel(group: number): string | undefined {
    const view = this.scope[group] as SearchedView;
    return vectorOf(view, this.vectors) && view.embedderId;
  }

  file(at: number): number {
    return this.files.number(this.tablesAt(at), this.pathIds[at] as number);
  }

  facts(at: number): PathFacts {
    return this.files.facts(this.tablesAt(at), this.pathIds[at] as number);
  }

  markDefiners(name: string, bit: number, marks: Uint32Array): void {
    const definersOf = new Map<PackTables, Uint32Array>();
    for (let at = 0; at < this.count; at += 1) {
      const tables = this.tablesAt(at);
      let definers = definersOf.get(tables);
      if (!definers) definersOf.set(tables, (definers = tables.definers(name)));
      if (definers.length > 0 && indexIn(definers, this.chunkAt(at)) !== -1)
        marks[at] = (marks[at] as number) | bit;
    }
  }

  symbol(at: number): string | undefined {
    return this.tablesAt(at).symbol(this.chunkAt(at));
  }

  endpointKey(at: number): string | undefined {
    return this.tablesAt(at).endpointKey(this.chunkAt(at));
  }

  schemaHash(at: number): string | undefined {
    return this.tablesAt(at).schemaHash(this.chunkAt(at));
  }

  isSameContent(at: number, other: number): boolean {
    return (
      this.tablesAt(at).contentHash(this.chunkAt(at)) ===
      this.tablesAt(other).contentHash(this.chunkAt(other))
    );
  }

  chunkId(at: number): string {
    return this.tablesAt(at).chunkId(this.chunkAt(at));
  }

  compareIds(at: number, other: number): number {
    return this.tablesAt(at).compareIds(
      this.chunkAt(at),
      this.tablesAt(other),
      this.chunkAt(other),
    );
  }

  private tablesAt(at: number): PackTables {
    return this.tables[this.groups[at] as number] as PackTables;
  }

  private chunkAt(at: number): number {
    return this.chunks[at] as number;
  }
}
