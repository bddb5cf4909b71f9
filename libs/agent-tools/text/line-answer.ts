import type {
  CodeSearchResponseView,
  DefinitionsView,
  ReferencesView,
} from '#contracts/http/index';

import type { Receipted } from '../agent-service.port.js';
import type { TokenCounter, ToolAnswer } from '../tool.types.js';
import { fenced } from './fence.js';
import { fitLines } from './fit-lines.js';
import { oneLine } from './one-line.js';

/** An exact answer about code: complete, or with a cursor to continue at. */
type ExactAnswer = CodeSearchResponseView | DefinitionsView | ReferencesView;

/** The parts of an answer as a tool shows them. */
export interface LineAnswer {
  /** The first line. */
  readonly summary: string;
  readonly lines: readonly string[];
  /** The advice about lines that do not fit. */
  readonly remedy: string;
  /** Maximum tokens of the text. */
  readonly room: number;
  /** Tokens of the summary and the fences. */
  readonly frame: number;
  /** The list of the answer that programs get, and the one within its items. */
  readonly list: string;
  readonly within?: string;
}

/** Returns lines of an answer within a budget, between its summary and its warnings. */
export function lineAnswer(
  { answer, receiptId }: Receipted<ExactAnswer>,
  { summary, lines: all, remedy, room, frame, list, within }: LineAnswer,
  countTokens: TokenCounter,
): ToolAnswer {
  const tail = [
    ...answer.warnings.map(oneLine),
    ...answer.hints.map((hint) => `Hint: ${oneLine(hint)}.`),
    receiptId === null ? '' : `Receipt ${receiptId}.`,
  ].filter(Boolean);
  const { lines, left } = fitLines(all, room - frame - countTokens(tail.join('\n')), countTokens);
  const cut = left > 0 ? [`${left} more lines of this result; ${remedy}.`] : [];
  const shown = lines.length > 0 ? [fenced(lines.join('\n'))] : [];
  return {
    text: [summary, ...shown, ...cut, ...tail].join('\n'),
    // Callers know their request; its echo would take room of the budget.
    data: { ...answer, query: undefined, receipt_id: receiptId },
    cut: {
      lists: [list, 'left_out', 'warnings', 'hints'],
      ...(within !== undefined && { within }),
      // The cursor of the answer continues behind all of it; that of a shorter one at the cut.
      continued: (shown) => ({
        next_cursor: undefined,
        more:
          shown === 0
            ? 'Repeat with a larger max_tokens'
            : `Repeat with limit ${shown}, then with its next_cursor`,
      }),
    },
  };
}

/** Returns why an answer is not complete, and where it continues. */
export function incompleteness({
  incomplete_reason: reason,
  next_cursor: cursor,
}: Pick<ExactAnswer, 'incomplete_reason' | 'next_cursor'>): string {
  const next = cursor === undefined ? '' : ` Continue with cursor ${cursor}`;
  return `Incomplete (${reason ?? 'unknown'}).${next}`;
}
