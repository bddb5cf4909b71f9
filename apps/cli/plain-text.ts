/** Control characters but for tabs and line breaks, and characters without a shape of their own. */
const UNSAFE = /[\p{Cc}\p{Cf}]/gu;
const KEPT: ReadonlySet<string> = new Set(['\t', '\n']);

/** Returns text of others with escapes for characters that a terminal would obey or not show. */
export function plainText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    if (KEPT.has(character)) return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
