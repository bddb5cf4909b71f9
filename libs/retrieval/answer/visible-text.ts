/** Code points that are invisible on a page, first and last of each range. */
const UNSEEN_RANGES: readonly (readonly [number, number])[] = [
  // Controls except tab and line feed.
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  // Soft hyphen, joiners, fillers.
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  // Zero-width characters, directions, invisible operators.
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  // Variation selectors, byte order mark, interlinear annotations.
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  // Musical controls; language tags and more variation selectors.
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];
const range = ([first, last]: readonly [number, number]): string =>
  `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`;
/** Private use, and code points without a character. */
const UNSEEN = new RegExp(`[${UNSEEN_RANGES.map(range).join('')}\\p{Co}\\p{Cn}]`, 'gu');
/** Printable ASCII, tabs and line feeds: most of code. Classes of Unicode take longer to match. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * Returns the text as a person reads it: without invisible characters, and with line feeds as line
 * ends.
 */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNSEEN, '');
}

/**
 * Returns the text with invisible characters as escapes, such as `\u{200b}`, and with line feeds as
 * line ends.
 */
export function escapeInvisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/\r\n/g, '\n')
    .replace(UNSEEN, escapeOf)
    .replace(/[\u2028\u2029]/g, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
