import type { PathFacts } from '#retrieval/ranking/path-facts';

import type { PackTables } from '../../pack/pack-tables.js';
import type { KeptPaths, PackPaths } from './kept-paths.js';

/** Files of one source in a search. */
interface SourceFiles {
  /** Its only pack so far; undefined with several. */
  only: PackFiles | undefined;
  /** Numbers by path; used with several packs, which may share paths. */
  readonly byPath: Map<string, number>;
}

/** Files of one pack in a search. */
interface PackFiles {
  readonly tables: PackTables;
  readonly paths: PackPaths;
  readonly source: SourceFiles;
  /** Numbers by the string id of the path. */
  readonly numbers: Map<number, number>;
}

/**
 * Numbers the files of a search in order of first appearance: equal numbers for equal source and
 * path. Paths are compared only between packs of one source.
 */
export class SliceFiles {
  private readonly sources = new Map<string, SourceFiles>();
  private readonly packs = new Map<PackTables, PackFiles>();
  private last: PackFiles | undefined;
  private count = 0;

  constructor(private readonly kept: KeptPaths) {}

  number(tables: PackTables, pathId: number): number {
    const pack = this.packOf(tables);
    let number = pack.numbers.get(pathId);
    if (number === undefined) pack.numbers.set(pathId, (number = this.numberOf(pack, pathId)));
    return number;
  }

  facts(tables: PackTables, pathId: number): PathFacts {
    return this.packOf(tables).paths.facts(pathId);
  }

  private numberOf({ source, paths }: PackFiles, pathId: number): number {
    if (source.only) return this.count++;
    const { path } = paths.facts(pathId);
    let number = source.byPath.get(path);
    if (number === undefined) source.byPath.set(path, (number = this.count++));
    return number;
  }

  private packOf(tables: PackTables): PackFiles {
    if (this.last?.tables === tables) return this.last;
    let pack = this.packs.get(tables);
    if (!pack) this.packs.set(tables, (pack = this.begun(tables)));
    this.last = pack;
    return pack;
  }

  private begun(tables: PackTables): PackFiles {
    const { source_id: sourceId } = tables.meta;
    const known = this.sources.get(sourceId);
    const source = known ?? { only: undefined, byPath: new Map<string, number>() };
    const pack = { tables, paths: this.kept.of(tables), source, numbers: new Map() };
    if (!known) {
      source.only = pack;
      this.sources.set(sourceId, source);
    } else if (source.only) {
      const { numbers, paths } = source.only;
      for (const [id, number] of numbers) source.byPath.set(paths.facts(id).path, number);
      source.only = undefined;
    }
    return pack;
  }
}
