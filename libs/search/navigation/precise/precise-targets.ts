import type { NamePlace } from '#code-search';

import type { ScopedSource } from '../../search-scope.js';
import { type ReferenceTarget, targetKey } from '../reference-targets.js';
import type { ReferringFile } from '../referring-file.js';
import type { PreciseRequest } from './precise-navigation.port.js';
import type { PreciseSource, PreciseSymbol } from './precise-source.js';

/** The meaning of an identifier as an indexer found it. */
export interface PreciseTarget extends ReferenceTarget {
  /** True for a parameter or type parameter, and for a name inside a function. */
  readonly isInner: boolean;
  readonly isDefinition: boolean;
  /** True if the index has no definition of the symbol, such as one of another package. */
  readonly isOutside: boolean;
  readonly isImport: boolean;
}

/**
 * Leads identifiers to their symbols. Files that changed since they were indexed are compared by
 * definitions: a definition in such a file is known by its path alone.
 */
export class PreciseTargets {
  private readonly sources = new Map<string, PreciseSource | undefined>();
  private readonly keys = new Map<string, readonly string[]>();

  constructor(private readonly precise: PreciseRequest) {}

  /** Loads the occurrences of a source; {@link at} needs them. */
  async load({ source }: ScopedSource): Promise<void> {
    if (this.sources.has(source.sourceId)) return;
    this.sources.set(source.sourceId, await this.precise.of(source));
  }

  /** Returns the meaning of the identifier that begins at a place; undefined if it has none. */
  at({ sourceId, path }: ReferringFile, place: NamePlace): PreciseTarget | undefined {
    const source = this.sources.get(sourceId);
    const symbols = source?.at(path, place) ?? [];
    const [first] = symbols;
    if (!source || !first) return undefined;
    const keys = symbols.map((symbol) => this.keysOf(sourceId, source, symbol));
    return {
      keys: keys.flat(),
      isOutside: keys.every(({ length }) => length === 1),
      isLocal: symbols.every(({ isLocal }) => isLocal),
      isInner: symbols.every(({ isInner }) => isInner),
      isDefinition: symbols.some(({ isDefinition }) => isDefinition),
      isImport: symbols.some(({ isImport }) => isImport),
    };
  }

  /** Adds keys by which a target is compared with identifiers that an indexer found. */
  comparable(target: ReferenceTarget): ReferenceTarget {
    const outdated = target.keys.flatMap((key) => {
      const [sourceId, path] = JSON.parse(key) as [string, string];
      return this.sources.get(sourceId)?.isOutdated(path) ? [fileKey(sourceId, path)] : [];
    });
    return outdated.length === 0 ? target : { ...target, keys: [...target.keys, ...outdated] };
  }

  private keysOf(
    sourceId: string,
    source: PreciseSource,
    symbol: PreciseSymbol,
  ): readonly string[] {
    const own = JSON.stringify([sourceId, symbol.key]);
    const known = this.keys.get(own);
    if (known) return known;
    const definitions = source
      .definitions(symbol)
      .map(({ path, line, column, isCurrent }) =>
        isCurrent ? targetKey({ sourceId, path }, { line, column }) : fileKey(sourceId, path),
      );
    const keys = [own, ...new Set(definitions)];
    this.keys.set(own, keys);
    return keys;
  }
}

/** Returns the key of all definitions of a name in a file that changed. */
function fileKey(sourceId: string, path: string): string {
  return JSON.stringify([sourceId, path, 0, 0]);
}
