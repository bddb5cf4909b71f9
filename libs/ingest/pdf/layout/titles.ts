/** Longer text is no title. */
const LONGEST = 200;

/**
 * What a title of the outline and the line that shows it have in common: the words alone, since
 * either may carry a number that the other has not. Empty for what cannot be a title.
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

/** The keys of titles, for {@link isTitled}. */
export function titleKeys(titles: readonly string[]): ReadonlySet<string> {
  return new Set(titles.map(titleKey).filter((key) => key !== ''));
}

/** A line that ends as a sentence does is none, whatever word it has. */
export function isTitled(text: string, keys: ReadonlySet<string>): boolean {
  return keys.size > 0 && !/\p{Ll}[.,;:]$/u.test(text) && keys.has(titleKey(text));
}
