/** Most characters of a title. */
const LONGEST = 200;

/**
 * Returns the common key of a title in the outline and the line that shows it. It has the words
 * alone: only one of the two may have a number. Empty for text that cannot be a title.
 */
export function titleKey(text: string): string {
  if (text.length > LONGEST) return '';
  const letters = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]/gu, '')
    .replace(/(?<!\.)\.+$/, '');
  return (
    letters.replace(
      /^(?:chapter|appendix|part|section)?(?:\d+(?:\.\d+)*|[a-z](?:\.\d+)+)\.?/,
      '',
    ) || letters
  );
}

/** Returns the keys of titles, for {@link isTitled}. */
export function titleKeys(titles: readonly string[]): ReadonlySet<string> {
  return new Set(titles.map(titleKey).filter((key) => key !== ''));
}

/**
 * Returns whether a line is a title. A line that ends like a sentence is not, whatever its words
 * are.
 */
export function isTitled(text: string, keys: ReadonlySet<string>): boolean {
  return keys.size > 0 && !/\p{Ll}[.,;:]$/u.test(text) && keys.has(titleKey(text));
}
