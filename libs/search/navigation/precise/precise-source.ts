import type { NamePlace, OccurrenceTable, TableOccurrence } from '#code-search';

/** The symbol of an identifier, as an indexer found it. */
export interface PreciseSymbol extends TableOccurrence {
  readonly table: OccurrenceTable;
}

/** A definition of a symbol. */
export interface PreciseDefinition extends NamePlace {
  readonly path: string;
  /** False if the file changed since it was indexed, so that the place may be another one. */
  readonly isCurrent: boolean;
}

/**
 * The occurrences of a source that indexers found, in files whose version is the indexed one. Other
 * files have none here.
 */
export class PreciseSource {
  /**
   * @param tables of one source, the most important first.
   * @param versions of the live files by path.
   */
  constructor(
    private readonly tables: readonly OccurrenceTable[],
    private readonly versions: ReadonlyMap<string, string>,
  ) {}

  /** Returns the symbols of the identifier that begins at a place. */
  at(path: string, place: NamePlace): readonly PreciseSymbol[] {
    for (const table of this.tables)
      if (this.isCurrent(table, path)) {
        const found = table.at(path, place);
        if (found.length > 0) return found.map((each) => ({ ...each, table }));
      }
    return [];
  }

  /** Reports whether a file was indexed, but changed since. */
  isOutdated(path: string): boolean {
    const indexed = this.tables.filter((table) => table.document(path) !== undefined);
    return indexed.length > 0 && !indexed.some((table) => this.isCurrent(table, path));
  }

  /** Returns the definitions of a symbol in all tables. */
  definitions({ table, symbol, key, isLocal }: PreciseSymbol): readonly PreciseDefinition[] {
    const definitions: PreciseDefinition[] = [];
    for (const each of isLocal ? [table] : this.tables) {
      const own = each === table ? symbol : each.symbolOf(key);
      if (own === undefined) continue;
      for (const { document, line, column } of each.definitions(own)) {
        const isCurrent = this.versions.get(document.path) === document.version;
        definitions.push({ path: document.path, line, column, isCurrent });
      }
    }
    return definitions;
  }

  private isCurrent(table: OccurrenceTable, path: string): boolean {
    const document = table.document(path);
    return document !== undefined && this.versions.get(path) === document.version;
  }
}
