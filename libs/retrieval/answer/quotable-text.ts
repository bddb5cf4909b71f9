import { visibleText } from './visible-text.js';

/** Elements that load something, run something or lead somewhere. */
const ELEMENT =
  /<(?=\/?(?:a|audio|base|embed|form|iframe|img|input|link|meta|object|script|style|svg|video)\b)/gi;

/**
 * Returns words of a passage for the Markdown of an answer, on one line and with the same meaning.
 * Invisible characters are removed, brackets cannot cite, backticks cannot open code beyond the
 * words, and nothing is loaded.
 */
export function quotableText(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\[([\s,]*\d[\s\d,]*)\]/g, '\\[$1\\]')
    .replace(/`{3,}/g, (run) => '\\`'.repeat(run.length))
    .replace(/!\[/g, '!\\[')
    .replace(ELEMENT, '\\<');
}

/** Returns a line of a passage for a code block. */
export function quotableLine(line: string): string {
  return visibleText(line).replace(/\n/g, ' ');
}
