import type { RequiredText } from '#contracts/content/required-text';

/** A match in a text, in bytes of its UTF-8 form; the end is exclusive. */
export type ByteSpan = readonly [start: number, end: number];

/** A compiled expression. It belongs to the thread that compiled it. */
export interface LineMatcher {
  /**
   * A text that every match contains, or undefined if none is known. A text without it needs no
   * search.
   */
  readonly requiredLiteral: string | undefined;
  /** The condition that each text with a match meets. */
  readonly requiredText: RequiredText;
  /**
   * Returns the leftmost matches that do not overlap, in order.
   * @param text a text, or its bytes in UTF-8.
   */
  find(text: string | Buffer): readonly ByteSpan[];
  /** Releases the memory of the expression; it is not used afterwards. */
  free(): void;
}

/**
 * A regular-expression engine whose time is linear in the text, whatever the expression. The
 * documented syntax is that of the Rust crate `regex`: `^` and `$` match at lines, and classes such
 * as `\w` are those of Unicode.
 */
export interface LineEngine {
  /** @throws PatternError for an expression outside the syntax or over the size limit. */
  compile(expression: LineExpression): LineMatcher;
}

/** An expression with the options of a search. */
export interface LineExpression {
  readonly pattern: string;
  /** False: the pattern is a text and is matched literally. */
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  /** Matches must begin and end at word boundaries. */
  readonly word: boolean;
}
