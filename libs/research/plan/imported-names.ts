import { belongsTo, importsIn, usualAlias } from '../manifests/imports-in.js';
import type { ResearchPassage } from './action.types.js';
import type { PackageLink } from './package-link.js';

/** Characters of a passage that are read. */
const MOST_CHARACTERS = 20_000;
const MOST_NAMES = 50;

/**
 * Returns names of a package that passages use: imported by name, or qualified with the module's
 * name in the text. Import lines may be in another passage of the same file.
 *
 * @param passages texts to search for uses, best first
 * @param all every passage found, for import lines
 */
export function importedNames(
  { from, provided, ecosystem }: PackageLink,
  passages: readonly ResearchPassage[],
  all: readonly ResearchPassage[],
): string[] {
  const used: string[] = [];
  for (const passage of passages) {
    const text = passage.result.content.slice(0, MOST_CHARACTERS);
    const heads = all.filter(
      ({ repo, result }) => repo === from && result.citation.path === passage.result.citation.path,
    );
    const imports = heads
      .flatMap(({ result }) => importsIn(result.content.slice(0, MOST_CHARACTERS), ecosystem))
      .filter(({ module }) => belongsTo(module, provided, ecosystem));
    const names = new Set(imports.flatMap(({ names: own }) => own));
    const aliases = new Set(imports.flatMap(({ alias }) => alias ?? []));
    if (imports.length === 0) aliases.add(usualAlias(provided, ecosystem));
    const words = text.match(/[A-Za-z_$][\w$]*/g) ?? [];
    used.push(...words.filter((word) => names.has(word)));
    for (const alias of aliases) used.push(...qualifiedBy(alias, text));
  }
  return [...new Set(used)].slice(0, MOST_NAMES);
}

/** Returns the last parts of names such as `flag.FlagSet` or `h2::client::Builder`. */
function qualifiedBy(alias: string, text: string): string[] {
  if (!/^[\w$.]+$/.test(alias)) return [];
  const escaped = alias.replace(/[.$]/g, '\\$&');
  const pattern = new RegExp(
    `(?<![\\w$.:])${escaped}((?:(?:\\.|::)[A-Za-z_$][\\w$]{0,80}){1,4})(?![\\w$])`,
    'g',
  );
  return Array.from(
    text.matchAll(pattern),
    ([, path = '']) => path.split(/\.|::/).findLast((part) => part !== '') ?? '',
  ).filter((name) => name.length > 1);
}
