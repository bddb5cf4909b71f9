import { indexIn } from '../pack/sorted-index.js';
import type { PackTables } from '../pack/pack-tables.js';

/** Who defines the names that one search asks a segment for: each name is looked up once, and no chunk's names are read. */
export class Definitions {
  private readonly known = new Map<string, Uint32Array>();

  constructor(private readonly tables: Pick<PackTables, 'definers'>) {}

  has(name: string, chunk: number): boolean {
    let definers = this.known.get(name);
    if (!definers) this.known.set(name, (definers = this.tables.definers(name)));
    return indexIn(definers, chunk) !== -1;
  }
}
