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
export function translatedPath(path: string): TranslatedPath {
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
}

function languageOf(text: string): string | undefined {
  const code = CODE.exec(text)?.[1]?.toLowerCase();
  if (code === undefined || !LANGUAGES.has(code)) return undefined;
  return BY_COUNTRY[code] ?? code;
}
