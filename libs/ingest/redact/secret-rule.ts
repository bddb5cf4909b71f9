/**
 * One format of secret that is known by a literal in it. A rule's pattern runs in time linear in
 * the text: it is tried at its literals alone, every repetition has a bound, and no two neighbours
 * can match the same characters.
 */
export interface SecretRule {
  /** What the marker and the counters call it. */
  readonly kind: string;
  /** Literals, one of which each secret has: the rest of the text never meets the pattern. */
  readonly literals: readonly string[];
  /**
   * Sticky; tried where a literal begins, or, with `inside`, where the token around the literal
   * begins. Where it has groups, the first is what stands before the secret and the second the
   * secret; else all of the match is.
   */
  readonly pattern: RegExp;
  /** The literal stands within the token, or behind its beginning. */
  readonly inside?: true;
  /** Any character may stand before: the literal itself tells where the secret begins. */
  readonly anywhere?: true;
  /** Looked at by what the secret says; default: that it is no placeholder. */
  readonly accepts?: (secret: string) => boolean;
}

/** A piece of the text that is not kept. */
export interface SecretSpan {
  readonly kind: string;
  /** Offsets in the text, the end excluded. */
  readonly start: number;
  readonly end: number;
  /**
   * The piece holds line breaks: those stay, and with them what stands around the key on each line.
   */
  readonly block?: true;
}
