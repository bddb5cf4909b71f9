/**
 * One format of secret with a known literal. A rule's pattern runs in time linear in the text. It
 * is tried only at its literals, every repetition has a bound, and no two neighbors can match the
 * same characters.
 */
export interface SecretRule {
  /** Name in the marker and the counters. */
  readonly kind: string;
  /** Literals, one of which each secret has: the rest of the text never meets the pattern. */
  readonly literals: readonly string[];
  /**
   * Sticky; tried where a literal begins, or, with `inside`, where the token around the literal
   * begins. With groups, the first is the text before the secret and the second the secret; without
   * groups, the whole match is the secret.
   */
  readonly pattern: RegExp;
  /** Whether the literal is within the token, or after its beginning. */
  readonly inside?: true;
  /** Whether any character may precede: the literal itself marks the start of the secret. */
  readonly anywhere?: true;
  /** Test of the secret's content; default: it is not a placeholder. */
  readonly accepts?: (secret: string) => boolean;
}

/** A piece of the text to remove. */
export interface SecretSpan {
  readonly kind: string;
  /** Offsets in the text, the end excluded. */
  readonly start: number;
  readonly end: number;
  /**
   * Whether the piece contains line breaks: those remain, with the text around the key on each
   * line.
   */
  readonly block?: true;
}
