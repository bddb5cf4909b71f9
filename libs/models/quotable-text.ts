import { visibleText } from './openai-compatible/visible-text.js';

/** Elements by which a page loads something, runs something or leads somewhere. */
const ELEMENT =
  /<(?=\/?(?:a|audio|base|embed|form|iframe|img|input|link|meta|object|script|style|svg|video)\b)/gi;

/**
 * Words of a passage as they can stand in the Markdown of an answer, on one line, saying what they
 * say: what is hidden in them is gone, their brackets mark no citation, their backticks open no
 * code that goes on behind them, and nothing in them is loaded.
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

/** A line of a passage as it can stand in a block of code. */
export function quotableLine(line: string): string {
  return visibleText(line).replace(/\n/g, ' ');
}
