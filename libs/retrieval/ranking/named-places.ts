/** Kinds of places that a query names: they lose nothing by their path. */
export interface NamedPlaces {
  /** Words of the query and of its path filters, in lower case: projects that they name. */
  readonly words: ReadonlySet<string>;
  /** The query is about tests, or a path filter selects them. */
  readonly tests: boolean;
}

/** A test as part of code. "In my tests" and "how do I test" ask for what helps to test. */
const PART_OF_TESTS = /\btest[ _-](?:function|method|class|case|module|file|fixture)(?:e?s)?\b/i;
/** Names of folders of tests and benchmarks, as alternatives of an expression. */
export const TEST_NAMES = 'tests?|__tests__|spec|testing|bench(?:es)?|benchmarks?';
const TEST_PATTERN = new RegExp(`(?:^|[/_.{,*])(?:${TEST_NAMES}|specs)(?:[/_.},*]|$)`, 'i');

/**
 * Returns what a query names, read from its text and its path filters.
 *
 * @param text at most 2,000 characters; the time is linear in them
 */
export function namedPlaces(text: string, pathPatterns: readonly string[] = []): NamedPlaces {
  return {
    words: wordsOf([text, ...pathPatterns]),
    tests: PART_OF_TESTS.test(text) || pathPatterns.some((pattern) => TEST_PATTERN.test(pattern)),
  };
}

/** Returns the words of texts in lower case, with hyphens and underscores inside them. */
function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []));
}
