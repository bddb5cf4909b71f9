import type { NamePlace } from '#code-search';
import type { Precision } from '#contracts/http/index';

import type { FoundDefinition } from '../find-definitions.js';
import type { PlacedIdentifier } from '../identifier-at.js';
import type { PreciseRequest } from './precise-navigation.port.js';
import type { PreciseDefinition } from './precise-source.js';

/** A definition with its certainty, if that is known so far. */
export interface RatedDefinition extends FoundDefinition {
  readonly precision?: Precision;
}

/** The definitions of an identifier by its symbol. */
export interface SymbolDefinitions {
  readonly definitions: readonly RatedDefinition[];
  /** True if an indexer knows the symbol and none of its definitions. */
  readonly isOutside: boolean;
}

/**
 * Returns the definitions of the identifier at a place.
 * @param named definitions with its name. Of those in files that changed since they were indexed,
 * all with the name are returned.
 * @param isFiltered true if `named` has only a part of the files.
 * @returns undefined if no indexer knows the identifier in the version of its file.
 */
export async function symbolDefinitions(
  precise: PreciseRequest,
  placed: PlacedIdentifier,
  named: readonly FoundDefinition[],
  isFiltered: boolean,
): Promise<SymbolDefinitions | undefined> {
  const source = await precise.of(placed.scoped.source);
  const symbols = source?.at(placed.path, placed) ?? [];
  if (!source || symbols.length === 0) return undefined;
  const defined = symbols.flatMap((symbol) => source.definitions(symbol));
  if (defined.length === 0) return { definitions: named, isOutside: true };
  const { sourceId } = placed.scoped.source;
  const own = named.filter(({ found }) => found.source.sourceId === sourceId);
  const known = own.flatMap((each): RatedDefinition[] => {
    const { path, place } = each.found;
    if (place && defined.some((one) => one.isCurrent && isAt(one, path, place)))
      return [{ ...each, precision: 'precise' }];
    const isOutdated = defined.some((one) => !one.isCurrent && one.path === path);
    return isOutdated ? [{ ...each, precision: 'resolved' }] : [];
  });
  const others = isFiltered ? [] : defined.filter((one) => one.isCurrent && !isKnown(own, one));
  return {
    definitions: [...known, ...distinct(others).map((one) => unlisted(placed, one))],
    isOutside: false,
  };
}

/** Returns definitions with the certainty of each. */
export async function ratedDefinitions(
  precise: PreciseRequest,
  definitions: readonly RatedDefinition[],
): Promise<readonly (RatedDefinition & { readonly precision: Precision })[]> {
  const rated: (RatedDefinition & { readonly precision: Precision })[] = [];
  for (const each of definitions) {
    const { place, path } = each.found;
    const source = each.precision ? undefined : await precise.of(each.scoped.source);
    const symbols = (place && source?.at(path, place)) ?? [];
    const isPrecise = symbols.some(({ isDefinition }) => isDefinition);
    rated.push({ ...each, precision: each.precision ?? (isPrecise ? 'precise' : 'name') });
  }
  return rated;
}

/** Returns a definition that is not among those of the index, such as a variable of a function. */
function unlisted(
  { scoped, name, language }: PlacedIdentifier,
  { path, line, column }: PreciseDefinition,
): RatedDefinition {
  const found = {
    source: scoped.source,
    path,
    fragment: undefined,
    language,
    name,
    symbol: name,
    startLine: line,
    endLine: line,
    place: undefined,
  };
  return { scoped, found, match: 'exact', at: { line, column }, precision: 'precise' };
}

function isKnown(own: readonly FoundDefinition[], one: PreciseDefinition): boolean {
  return own.some(({ found: { path, place } }) => place !== undefined && isAt(one, path, place));
}

function isAt(one: PreciseDefinition, path: string, { line, column }: NamePlace): boolean {
  return one.path === path && one.line === line && one.column === column;
}

function distinct(definitions: readonly PreciseDefinition[]): readonly PreciseDefinition[] {
  const known = new Map(definitions.map((one) => [`${one.line}:${one.column}:${one.path}`, one]));
  return [...known.values()];
}
