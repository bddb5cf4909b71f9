/** The names to find: equal ones, or also those that begin with the text or have its humps. */
export interface SymbolMatch {
  readonly text: string;
  readonly kind: 'exact' | 'any';
}

/** Closeness of a name to the text of a query; a lower rank is closer. */
export const SYMBOL_RANKS = ['exact', 'case', 'prefix', 'prefix_case', 'humps'] as const;
export type SymbolRank = (typeof SYMBOL_RANKS)[number];

/** Places between the parts of a name: `HTTPServer_2` has HTTP, Server and 2. */
const HUMP_ENDS =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|[^\p{L}\p{N}]/u;
/** Parts of a query: each capital begins one. */
const QUERY_HUMPS = /\p{Lu}[\p{Ll}\p{Lo}]*|[\p{Ll}\p{Lo}]+|\p{N}+/gu;
/** Characters of a name that are examined; longer ones match as a whole only. */
const LONGEST_NAME = 200;

/** Returns a function that ranks names by a text; undefined for a name that does not match. */
export function symbolRanker({
  text,
  kind,
}: SymbolMatch): (name: string) => SymbolRank | undefined {
  const lower = text.toLowerCase();
  const humps = humpsOf(text);
  return (name) => {
    if (name === text) return 'exact';
    if (kind === 'exact' || name.length > LONGEST_NAME) return undefined;
    const lowerName = name.toLowerCase();
    if (lowerName === lower) return 'case';
    if (name.startsWith(text)) return 'prefix';
    if (lowerName.startsWith(lower)) return 'prefix_case';
    return humps.length > 1 && hasHumps(name, humps) ? 'humps' : undefined;
  };
}

/** Returns the humps of a query in lower case. */
export function humpsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(QUERY_HUMPS), ([hump]) => hump.toLowerCase());
}

/** Reports whether parts of a name begin with the humps, in order; the first with the first. */
function hasHumps(name: string, humps: readonly string[]): boolean {
  let next = 0;
  for (const part of name.split(HUMP_ENDS)) {
    if (part === '') continue;
    if (part.toLowerCase().startsWith(humps[next] as string)) next += 1;
    else if (next === 0) return false;
    if (next === humps.length) return true;
  }
  return false;
}
