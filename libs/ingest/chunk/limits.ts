/**
 * Sizes of chunks. Cutting works with characters (UTF-16 units), which cost nothing to count: 1,500
 * of them are about 350 tokens of source text. Tokens are counted once a chunk, and only a chunk
 * over the hard limit is cut again.
 */
export const CHUNK_LIMITS = {
  /** What siblings are merged up to. */
  targetCharacters: 1_500,
  /** What a definition may reach to keep its doc comment whole. */
  hardCharacters: 3_000,
  /** No chunk has more tokens than this, unless a single character does. */
  hardTokens: 800,
  /**
   * Longest stretch of one line that is tokenised at once; longer ones are counted in pieces of
   * this size.
   */
  tokenizedLineCharacters: 2_000,
  /** Nodes nested deeper than this are cut at line ends, not by syntax. */
  syntaxDepth: 200,
  /**
   * Processor time (milliseconds) of a file's parse and of reading its tree; one that takes longer
   * is cut by lines.
   */
  parseMilliseconds: 2_000,
} as const;

/** A stretch of text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A run of whole lines, 0-based and inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
  /** Heading trail of prose. */
  readonly symbol?: string;
}
