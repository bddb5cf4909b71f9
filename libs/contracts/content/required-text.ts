/**
 * The texts that a document must contain to match a pattern, folded by {@link foldText}. A document
 * that does not meet the condition has no match; one that meets it may have none either.
 */
export type RequiredText =
  | { readonly kind: 'any' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly RequiredText[] };

/** The condition that every document meets. */
export const ANY_TEXT: RequiredText = { kind: 'any' };

/**
 * Returns a form of a text that its variants in upper and lower case share, by the simple case
 * folding of Unicode. The form of a part of a text is a part of its form.
 */
export function foldText(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** Returns the condition that all parts set. */
export function allOf(parts: readonly RequiredText[]): RequiredText {
  const known = parts.filter(({ kind }) => kind !== 'any');
  return known.length === 1 ? (known[0] as RequiredText) : joined('and', known);
}

/** Returns the condition that one of the parts sets. */
export function oneOf(parts: readonly RequiredText[]): RequiredText {
  if (parts.some(({ kind }) => kind === 'any')) return ANY_TEXT;
  return parts.length === 1 ? (parts[0] as RequiredText) : joined('or', parts);
}

function joined(kind: 'and' | 'or', parts: readonly RequiredText[]): RequiredText {
  return parts.length === 0 ? ANY_TEXT : { kind, parts };
}

/** Counts the texts of a condition. */
export function countTexts(required: RequiredText): number {
  if (required.kind === 'any') return 0;
  if (required.kind === 'text') return 1;
  return required.parts.reduce((sum, part) => sum + countTexts(part), 0);
}
