import { DOCS } from './chunk-type.js';
import type { PathFacts } from './path-facts.js';
import type { RankTable } from './rank-table.js';

const ENGLISH = 'en';

/**
 * Shows one translation of each page: the one in the query's language, else the English one, else
 * the first in rank order. A path without a language counts as English. Applies to prose alone: in
 * code, a folder such as `is` is seldom a language.
 *
 * @param ranked chunks in rank order
 * @param languageOf returns the query's language; called only for pages with translations
 * @param onCopy receives the first shown chunk of a page with the best chunk of each hidden
 * translation
 * @returns the remaining chunks, in the order given
 */
export function collapseTranslations(
  table: RankTable,
  ranked: Uint32Array,
  languageOf: () => string,
  onCopy: (shown: number, copies: readonly number[]) => void,
): Uint32Array {
  const { input, files } = table;
  const hidden = new Set<number>();
  for (const firsts of translatedPages(table, ranked)) {
    if (firsts.length === 1) continue;
    const [first] = firsts;
    const shown = firstIn(table, firsts, languageOf()) ?? firstIn(table, firsts, ENGLISH) ?? first;
    const others = firsts.filter((at) => at !== shown);
    if (shown === undefined || others.length === 0) continue;
    for (const at of others) hidden.add(files[at] as number);
    onCopy(shown, others);
  }
  if (hidden.size === 0) return ranked;
  return ranked.filter((at) => input.chunkTypes[at] !== DOCS || !hidden.has(files[at] as number));
}

/** Returns the files of each page, by the first chunk of prose of each. */
function translatedPages(
  { input, files, facts }: RankTable,
  ranked: Uint32Array,
): Iterable<readonly number[]> {
  const pages = new Map<string, number[]>();
  const seen = new Uint8Array(facts.length);
  for (let i = 0; i < ranked.length; i += 1) {
    const at = ranked[i] as number;
    if (input.chunkTypes[at] !== DOCS) continue;
    const file = files[at] as number;
    if (seen[file] === 1) continue;
    seen[file] = 1;
    const sourceId = input.sourceId(input.groups[at] as number);
    const page = `${sourceId} ${(facts[file] as PathFacts).translation.page}`;
    const known = pages.get(page);
    if (known) known.push(at);
    else pages.set(page, [at]);
  }
  return pages.values();
}

function firstIn(
  { files, facts }: RankTable,
  chunks: readonly number[],
  language: string,
): number | undefined {
  return chunks.find((at) => {
    const { translation } = facts[files[at] as number] as PathFacts;
    return (translation.language ?? ENGLISH) === language;
  });
}
