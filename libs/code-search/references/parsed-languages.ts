import { LANGUAGE_QUERIES } from '#ingest/chunk/queries/index';

/** Languages whose scripts are parsed as TypeScript, which includes JavaScript. */
const COMPONENTS: ReadonlySet<string> = new Set(['svelte', 'vue']);

/** Returns true for files with scripts of which only those are parsed. */
export function isComponent(language: string): boolean {
  return COMPONENTS.has(language);
}

/** Returns the language whose grammar parses a file. */
export function grammarOf(language: string): string {
  return isComponent(language) ? 'typescript' : language;
}

/** Returns true if the identifiers of a language can be found. */
export function isParsedLanguage(language: string): boolean {
  return Object.hasOwn(LANGUAGE_QUERIES, grammarOf(language));
}
