import type { PackTables } from '../../pack/pack-tables.js';
import { indexIn } from '../../pack/sorted-index.js';

/** What the candidates of one search read of a segment together: each path is decoded once, each name looked up once. */
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

  /** Whether a chunk defines a name, without reading all that it defines. */
  defines(name: string, chunk: number): boolean {
    let definers = this.definers.get(name);
    if (!definers) this.definers.set(name, (definers = this.tables.definers(name)));
    return indexIn(definers, chunk) !== -1;
  }
}
