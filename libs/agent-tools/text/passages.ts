import type { BestLines, Citation } from '#contracts';

import type { TokenCounter } from '../tool.types.js';
import { citationLine } from './citation-line.js';
import { fenced } from './fence.js';

/** A passage of an answer. */
export interface Passage {
  readonly content: string;
  readonly citation: Citation;
  readonly is_stale?: boolean;
  readonly best_lines?: BestLines;
}

/** Passages as text within a budget. */
export interface FittedPassages {
  readonly text: string;
  /** Passages in the text; the last may be cut. */
  readonly shown: number;
}

/** A cut passage shows at least this many lines. */
const LEAST_LINES = 4;

/**
 * Returns the passages, best first, as far as they fit in the budget. The last one is cut to its
 * first lines if a useful part fits.
 * @param room maximum tokens of the text, headings included.
 */
export function fitPassages(
  passages: readonly Passage[],
  room: number,
  countTokens: TokenCounter,
): FittedPassages {
  const parts: string[] = [];
  let left = room;
  for (const passage of passages) {
    const whole = passageText(passage, parts.length + 1);
    const tokens = countTokens(`\n\n${whole}`);
    if (tokens <= left) {
      parts.push(whole);
      left -= tokens;
      continue;
    }
    const cut = firstLines(passage, parts.length + 1, left, countTokens);
    if (cut !== null) parts.push(cut);
    break;
  }
  return { text: parts.join('\n\n'), shown: parts.length };
}

function passageText({ content, citation, is_stale, best_lines }: Passage, number: number): string {
  const stale = is_stale === true ? ' (stale)' : '';
  const best = best_lines ? ` (best lines ${best_lines.start_line}-${best_lines.end_line})` : '';
  const heading = `[${number}] ${citationLine(citation)}${best}${stale}`;
  return `${heading}\n${fenced(content, citation.language)}`;
}

/** Returns the longest beginning of a passage that fits, found by bisection; null for none. */
function firstLines(
  passage: Passage,
  number: number,
  room: number,
  countTokens: TokenCounter,
): string | null {
  const lines = passage.content.split('\n');
  const cutTo = (count: number): string => {
    const shown = passageText({ ...passage, content: lines.slice(0, count).join('\n') }, number);
    return `${shown}\n(${lines.length - count} more lines; read_file shows them)`;
  };
  let [fits, tooMany] = [0, lines.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (countTokens(`\n\n${cutTo(middle)}`) <= room) fits = middle;
    else tooMany = middle;
  }
  return fits < LEAST_LINES ? null : cutTo(fits);
}
