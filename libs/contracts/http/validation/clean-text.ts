const CONTROL = /\p{Cc}/u;
/** Marks that reorder the text around them: a name that carries one can pass for another. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/gu;

/**
 * False for text with NUL or a lone surrogate: engines would refuse it or silently store something
 * else.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/** True when nothing visible is left: empty, white space or zero-width characters alone. */
export function isBlank(text: string): boolean {
  return text.replace(INVISIBLE, '') === '';
}

/**
 * True for text that a list can show as a name: one line, no control or direction-changing
 * characters.
 */
export function isPlainName(text: string): boolean {
  return !CONTROL.test(text) && !BIDI.test(text);
}
