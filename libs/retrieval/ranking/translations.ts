import { remember } from '../bounded-cache.js';
import type { RankCandidate } from './rank.types.js';
import type { Scored } from './scored.js';

/* eslint-disable footnote/plain-language -- A code of a language is no pronoun. */
/** Languages of translated documentation, by the codes in paths. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'ar az be bg bn ca cs da de el en es et fa fi fr gu he hi hr hu hy id it ja ka kk km kn ko lt ' +
    'lv ml mr ms my nb ne nl nn pa pl pt ro ru si sk sl sq sr sv ta te th tr uk ur uz vi zh cn jp ' +
    'kr tw'
  ).split(' '),
);
/* eslint-enable footnote/plain-language */
/** Codes of countries that paths use for a language. */
const BY_COUNTRY: Readonly<Record<string, string>> = { cn: 'zh', tw: 'zh', jp: 'ja', kr: 'ko' };
const CODE = /^([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i;
const NAME_WITH_CODE = /^(.+?)[-_.]([a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?)(\.[a-z]+)$/i;

const ENGLISH = 'en';
const MAX_CACHED_PATHS = 20_000;

/** A path without the part that names its language. */
export interface TranslatedPath {
  /** Equal for the translations of one page. */
  readonly page: string;
  /** Code of two letters; undefined if the path names no language. */
  readonly language: string | undefined;
}

/**
 * Separates a path from the language that a folder or the end of the file's name gives:
 * `docs/de/pool.md`, `docs/pool.de.md` and `docs/pool.md` have the page `docs/pool.md`.
 */
export const translatedPath: (path: string) => TranslatedPath = remember((path) => {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const at = folders.findIndex((folder) => languageOf(folder) !== undefined);
  if (at !== -1) {
    const language = languageOf(folders[at] ?? '');
    return { page: [...folders.toSpliced(at, 1), name].join('/'), language };
  }
  const [, stem = '', code = '', extension = ''] = NAME_WITH_CODE.exec(name) ?? [];
  const language = languageOf(code);
  if (language === undefined) return { page: path, language };
  return { page: [...folders, `${stem}${extension}`].join('/'), language };
}, MAX_CACHED_PATHS);

function languageOf(text: string): string | undefined {
  const code = CODE.exec(text)?.[1]?.toLowerCase();
  if (code === undefined || !LANGUAGES.has(code)) return undefined;
  return BY_COUNTRY[code] ?? code;
}

type Entry = Pick<Scored<RankCandidate>, 'candidate' | 'file'>;

/**
 * Shows one translation of each page: the one in the query's language, else the English one, else
 * the first in rank order. A path without a language counts as English. Applies to prose alone: in
 * code, a folder such as `is` is seldom a language.
 *
 * @param onCopy receives the first shown entry of a page with the best entry of each hidden
 * translation
 * @returns the remaining entries, in the order given
 */
export function collapseTranslations<S extends Entry>(
  ranked: readonly S[],
  language: string,
  onCopy: (shown: S, copies: readonly S[]) => void,
): readonly S[] {
  const hidden = new Set<number>();
  for (const firsts of translatedPages(ranked)) {
    const shown = firstIn(firsts, language) ?? firstIn(firsts, ENGLISH) ?? firsts[0];
    const others = firsts.filter((entry) => entry !== shown);
    if (!shown || others.length === 0) continue;
    for (const { file } of others) hidden.add(file);
    onCopy(shown, others);
  }
  if (hidden.size === 0) return ranked;
  return ranked.filter(
    ({ candidate, file }) => candidate.chunkType !== 'docs' || !hidden.has(file),
  );
}

/** Returns the files of each page, by the first entry of prose of each. */
function translatedPages<S extends Entry>(ranked: readonly S[]): Iterable<readonly S[]> {
  const pages = new Map<string, S[]>();
  const seen: boolean[] = [];
  for (const entry of ranked) {
    const { candidate, file } = entry;
    if (candidate.chunkType !== 'docs' || seen[file]) continue;
    seen[file] = true;
    const page = `${candidate.sourceId} ${translatedPath(candidate.path).page}`;
    const files = pages.get(page);
    if (files) files.push(entry);
    else pages.set(page, [entry]);
  }
  return pages.values();
}

function firstIn<S extends Entry>(entries: readonly S[], language: string): S | undefined {
  return entries.find(
    ({ candidate: { path } }) => (translatedPath(path).language ?? ENGLISH) === language,
  );
}
