import { escapeInvisible } from '#retrieval';

import type { TokenCounter } from '../tool.types.js';

/** Longer lines are clipped: they are data or minified code, and costly to count. */
const LONGEST_LINE = 2_000;

/** Lines within a budget. */
export interface FittedLines {
  readonly lines: readonly string[];
  /** Lines that did not fit. */
  readonly left: number;
}

/**
 * Returns the first lines that fit in the budget, long ones clipped.
 * @param room maximum tokens of the lines together.
 */
export function fitLines(
  lines: readonly string[],
  room: number,
  countTokens: TokenCounter,
): FittedLines {
  const fitting: string[] = [];
  let used = 0;
  for (const line of lines) {
    const clipped = clip(line);
    // Fences and headings show invisible characters as escapes, which cost more.
    used += countTokens(`${escapeInvisible(clipped)}\n`);
    if (used > room) break;
    fitting.push(clipped);
  }
  return { lines: fitting, left: lines.length - fitting.length };
}

function clip(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE)} (${line.length - LONGEST_LINE} more characters)`;
}
