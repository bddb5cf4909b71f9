import type { TokenCounter } from '../tool.types.js';
import { fitPassages, type FittedPassages, type Passage } from './passages.js';

/** Tokens that the line about further passages may take. */
const COUNT_LINE = 24;

export interface PassageAnswer {
  readonly head: string;
  /** Best first. */
  readonly passages: readonly Passage[];
  readonly tail: readonly string[];
  /** Maximum tokens of the text. */
  readonly room: number;
}

/** Returns passages between a head and a tail within a budget; it counts those left out. */
export function passageAnswer(
  { head, passages, tail, room }: PassageAnswer,
  countTokens: TokenCounter,
): FittedPassages {
  const frame = countTokens([head, ...tail].join('\n\n')) + COUNT_LINE;
  const { text, shown } = fitPassages(passages, room - frame, countTokens);
  const left = passages.length - shown;
  const more = left > 0 ? `${left} more passages: repeat with a larger max_tokens.` : '';
  return { text: [head, text, more, ...tail].filter(Boolean).join('\n\n'), shown };
}
