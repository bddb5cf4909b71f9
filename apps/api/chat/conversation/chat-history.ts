import type { ChatTurn } from '#models';

import type { TurnText } from '../../conversations/conversations.js';

/** A mark of a passage that the model of this turn is not given. */
const OLD_MARK = /(?<![ \t])[ \t]+\[\d+(?:, ?\d+)*\]/g;

/** Earlier turns that fit, with what they take. */
export interface FittingHistory {
  readonly turns: readonly ChatTurn[];
  readonly tokens: number;
}

/**
 * The newest turns that fit into a budget, whole, oldest first. Their citation marks are left out:
 * the numbers would mean other passages now.
 */
export function fittingHistory(
  turns: readonly TurnText[],
  budget: number,
  countTokens: (text: string) => number,
): FittingHistory {
  const taken: ChatTurn[] = [];
  let tokens = 0;
  for (const { question, answer } of turns.toReversed()) {
    const plainAnswer = answer.replace(OLD_MARK, '');
    const needed = countTokens(question) + countTokens(plainAnswer);
    if (tokens + needed > budget) break;
    tokens += needed;
    taken.unshift({ role: 'user', text: question }, { role: 'assistant', text: plainAnswer });
  }
  return { turns: taken, tokens };
}
