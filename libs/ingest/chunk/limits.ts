/**
 * Sizes of chunks. Cuts use characters (UTF-16 units), which cost nothing to count: 1,500 of them
 * are about 350 tokens of source text. Tokens are counted once per chunk, and only a chunk over the
 * hard limit is cut again.
 */
export const CHUNK_LIMITS = {
  /** Size up to which siblings are merged. */
  targetCharacters: 1_500,
  /** Size up to which a definition retains its whole doc comment. */
  hardCharacters: 3_000,
  /** Maximum tokens of a chunk, unless a single character has more. */
  hardTokens: 800,
  /**
   * Longest part of one line that is tokenized at once; longer lines are counted in pieces of this
   * size.
   */
  tokenizedLineCharacters: 2_000,
  /** Maximum depth of nodes cut by syntax; deeper ones are cut at line ends. */
  syntaxDepth: 200,
  /**
   * Processor time (milliseconds) for a file's parse and for reads of its tree. A file that takes
   * longer is cut by lines.
   */
  parseMilliseconds: 2_000,
} as const;

/** Span of text in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Run of whole lines, 0-based and inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
  /** Heading trail of prose. */
  readonly symbol?: string;
}
