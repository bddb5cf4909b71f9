/** Most sources of one kind that are named; further ones are counted. */
const MOST_NAMED = 20;

/**
 * Returns warnings of an answer for sources in its scope whose content is missing. @param lost
 * names of those that could not be searched. @param indexedOnly names of those that only the index
 * still has.
 */
export function missingContentWarnings(
  lost: readonly string[],
  indexedOnly: readonly string[],
): string[] {
  return [
    ...named(
      lost,
      (name) => `Content of "${name}" is missing; sync it to search it again`,
      (count) => `Content of ${count} more sources is missing; sync them to search them again`,
    ),
    ...named(
      indexedOnly,
      (name) =>
        `Content of "${name}" is missing and only the search index still has it; sync it to build it again`,
      (count) =>
        `Content of ${count} more sources is missing and only the search index still has it; sync them`,
    ),
  ];
}

function named(
  names: readonly string[],
  one: (name: string) => string,
  more: (count: number) => string,
): string[] {
  const rest = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED).map(one), ...(rest > 0 ? [more(rest)] : [])];
}
