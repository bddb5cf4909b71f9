import {
  type FileOccurrences,
  grammarOf,
  moduleFiles,
  type NameBinding,
  type NamePlace,
  submodule,
} from '#code-search';
import type { IndexedSymbol } from '#search-index';

import type { ImportedReleases } from './imported-releases.js';
import type { ReferringFile } from './referring-file.js';

/** Modules that pass a name on to the next one, followed up to the file that defines it. */
const MOST_STEPS = 4;
/** Files that one request parses to follow imports; names beyond stay unresolved. */
const MOST_READ = 100;
/** Paths that one request looks up for them. */
const MOST_LOOK_UPS = 300;

/** The meaning of an identifier. */
export interface ReferenceTarget {
  /** Definitions by {@link targetKey}. */
  readonly keys: readonly string[];
  /** True for a name inside a function. */
  readonly isLocal: boolean;
}

/** Returns the occurrences of the name in another file; undefined if it cannot be read. */
export type ReadOccurrences = (file: ReferringFile) => Promise<FileOccurrences | undefined>;

/** Leads identifiers with one name to its definitions, by scopes and imports of each file. */
export class ReferenceTargets {
  private readonly definitions = new Map<string, IndexedSymbol[]>();
  /** Definitions with a place, by {@link targetKey}. */
  private readonly known = new Set<string>();
  private readonly exports = new Map<string, Promise<FileOccurrences | undefined>>();
  private parsed = 0;

  constructor(
    private readonly name: string,
    definitions: readonly IndexedSymbol[],
    private readonly read: ReadOccurrences,
    /** Releases that imports may lead to. Default: none. */
    private readonly releases?: Pick<ImportedReleases, 'of'>,
  ) {
    for (const each of definitions) {
      const own = this.definitions.get(each.source.sourceId) ?? [];
      own.push(each);
      this.definitions.set(each.source.sourceId, own);
      const { source, path, place } = each;
      if (place) this.known.add(targetKey({ sourceId: source.sourceId, path }, place));
    }
  }

  /** Returns the meaning of an identifier; undefined if its file does not show it. */
  async of(file: ReferringFile, binding: NameBinding): Promise<ReferenceTarget | undefined> {
    if (binding.kind === 'unknown') return undefined;
    if (binding.kind === 'declared') return this.declared(file, binding);
    const keys = await this.imported(file, binding, MOST_STEPS);
    return keys.length > 0 ? { keys, isLocal: false } : undefined;
  }

  private declared(
    file: ReferringFile,
    { places, isLocal }: Extract<NameBinding, { kind: 'declared' }>,
  ): ReferenceTarget {
    const all = places.map((place) => targetKey(file, place));
    const indexed = all.filter((key) => this.known.has(key));
    if (indexed.length > 0) return { keys: indexed, isLocal: false };
    return { keys: all, isLocal };
  }

  private async imported(
    file: ReferringFile,
    { modules, imported, member }: Extract<NameBinding, { kind: 'imported' }>,
    steps: number,
  ): Promise<readonly string[]> {
    const grammar = grammarOf(file.language);
    for (const module of modules) {
      if (member === undefined) {
        // A default export is known by any name; its file has to define this one.
        if (imported !== this.name && imported !== 'default') continue;
        const keys = await this.inModule(file, module, meantBy(grammar, module), steps);
        if (keys.length > 0) return keys;
        continue;
      }
      const inner = submodule(grammar, module, imported);
      const keys = inner === undefined ? [] : await this.inModule(file, inner, isTopLevel, steps);
      if (keys.length > 0) return keys;
      const symbol = `${imported}.${this.name}`;
      const members = await this.inModule(file, module, (each) => each.symbol === symbol, 0);
      if (members.length > 0) return members;
    }
    return [];
  }

  /** Returns definitions in a module of the source of a file, or else of releases. */
  private async inModule(
    file: ReferringFile,
    module: string,
    isMeant: (definition: IndexedSymbol) => boolean,
    steps: number,
  ): Promise<readonly string[]> {
    const own = await this.inSource(file, module, isMeant, steps);
    if (own.length > 0 || !this.releases) return own;
    const definitionsOf = (sourceId: string) => this.definitions.get(sourceId) ?? [];
    const keys: string[] = [];
    for (const { from, modules } of await this.releases.of(file, module, definitionsOf))
      for (const inner of modules) {
        const found = await this.inSource(from, inner, isMeant, steps);
        keys.push(...found);
        if (found.length > 0) break;
      }
    return [...new Set(keys)];
  }

  /** Returns definitions in the file of a module, or in files from which it passes the name on. */
  private async inSource(
    file: ReferringFile,
    module: string,
    isMeant: (definition: IndexedSymbol) => boolean,
    steps: number,
  ): Promise<readonly string[]> {
    const { includes, paths } = moduleFiles(grammarOf(file.language), file.path, module);
    const found = (this.definitions.get(file.sourceId) ?? []).filter(
      (each) => includes(each.path) && isMeant(each),
    );
    if (found.length > 0)
      return found.flatMap(({ path, place }) =>
        place ? [targetKey({ ...file, path }, place)] : [],
      );
    for (const path of steps > 0 ? paths : []) {
      const passing = { ...file, path };
      const occurrences = await this.occurrencesOf(passing);
      if (!occurrences) continue;
      for (const { binding } of occurrences.names)
        if (binding.kind === 'imported' && binding.member === undefined) {
          const keys = await this.imported(passing, binding, steps - 1);
          if (keys.length > 0) return keys;
        }
      for (const star of occurrences.passedOn) {
        const keys = await this.inModule(passing, star, isMeant, steps - 1);
        if (keys.length > 0) return keys;
      }
      return [];
    }
    return [];
  }

  private occurrencesOf(file: ReferringFile): Promise<FileOccurrences | undefined> {
    const key = `${file.sourceId}/${file.path}`;
    const known = this.exports.get(key);
    if (known) return known;
    if (this.parsed >= MOST_READ || this.exports.size >= MOST_LOOK_UPS)
      return Promise.resolve(undefined);
    const read = this.read(file).then((found) => {
      if (found) this.parsed += 1;
      return found;
    });
    this.exports.set(key, read);
    return read;
  }
}

/** Returns the key of a definition. */
export function targetKey(
  { sourceId, path }: Pick<ReferringFile, 'sourceId' | 'path'>,
  { line, column }: NamePlace,
): string {
  return JSON.stringify([sourceId, path, line, column]);
}

/** Returns whether an import means a definition. Java also imports members: `shop.Cart.Line`. */
function meantBy(grammar: string, module: string): (definition: IndexedSymbol) => boolean {
  if (grammar !== 'java') return isTopLevel;
  return (each) => isTopLevel(each) || `.${module}`.endsWith(`.${each.symbol}`);
}

function isTopLevel({ name, symbol }: IndexedSymbol): boolean {
  return name === symbol;
}
