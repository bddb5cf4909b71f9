import { MAX_KEPT_PATHS, PathFacts } from '#retrieval/ranking/path-facts';

import type { PackTables } from '../../pack/pack-tables.js';

/**
 * Facts of the paths that the searches of a thread found, by pack. At its limit it removes all of
 * them: cheap, bounded, and invisible except for speed. Those of a closed pack are freed with it.
 */
export class KeptPaths {
  private packs = new WeakMap<PackTables, PackPaths>();
  private count = 0;

  /** @param limit of paths in all packs */
  constructor(private readonly limit = MAX_KEPT_PATHS) {}

  of(tables: PackTables): PackPaths {
    let paths = this.packs.get(tables);
    if (!paths) this.packs.set(tables, (paths = new PackPaths(tables, () => this.add())));
    return paths;
  }

  private add(): void {
    if (this.count >= this.limit) {
      this.packs = new WeakMap();
      this.count = 0;
    }
    this.count += 1;
  }
}

/** Facts of the paths of one pack. */
export class PackPaths {
  /** By string id. */
  private readonly known = new Map<number, PathFacts>();

  /** @param onAdd called before a path is added */
  constructor(
    private readonly tables: PackTables,
    private readonly onAdd: () => void,
  ) {}

  facts(pathId: number): PathFacts {
    let facts = this.known.get(pathId);
    if (!facts) {
      this.onAdd();
      this.known.set(pathId, (facts = new PathFacts(this.tables.strings.at(pathId))));
    }
    return facts;
  }
}
