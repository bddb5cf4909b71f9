import { z } from 'zod';

import type { ResearchPassage, SearchAction } from '../plan/action.types.js';
import { fenced, Listing } from './listing.js';
import { DATA_RULE, type ModelTask } from './model-task.types.js';

const SCHEMA = z.object({ is_answered: z.boolean(), actions: z.array(z.string()) });
type ActionsAnswer = z.output<typeof SCHEMA>;

const MOST_ACTIONS = 24;
const MOST_PASSAGES = 10;
/** Characters of a passage that a model sees to plan. */
const MOST_CONTENT = 800;

/** Input of the choice of searches. */
export interface ActionsInput {
  readonly question: string;
  /** Passages found so far, best first. */
  readonly passages: readonly ResearchPassage[];
  /** Searches to choose from, most useful first. */
  readonly actions: readonly SearchAction[];
  /** Maximum number of chosen searches. */
  readonly limit: number;
}

/**
 * Returns the task to choose the next searches; null if there is none to choose. The plan is empty
 * where the passages answer the question.
 */
export function actionsTask(
  input: ActionsInput,
): ModelTask<ActionsAnswer, readonly SearchAction[]> | null {
  const { question, passages, limit } = input;
  if (input.actions.length === 0 || limit === 0) return null;
  const actions = new Listing('a', input.actions.slice(0, MOST_ACTIONS));
  const shown = new Listing('p', passages.slice(0, MOST_PASSAGES));
  return {
    name: 'next_searches',
    schema: SCHEMA,
    instructions:
      `You decide which searches in source code come next. ${DATA_RULE} ` +
      'Set `is_answered` to true only if the passages answer the whole question. ' +
      `Else put into \`actions\` at most ${limit} ids of searches, the most useful first.`,
    text:
      `Question:\n${fenced(question)}\n\nPassages:\n${shown.shown(passageText)}\n\n` +
      `Searches:\n${actions.shown(actionText)}`,
    read: (answer) => {
      const problem = actions.problem(answer.actions);
      if (problem !== null) return { problem };
      return { plan: answer.is_answered ? [] : actions.pick(answer.actions).slice(0, limit) };
    },
  };
}

function passageText({ repo, result: { citation, content } }: ResearchPassage): string {
  const place = `${repo} ${citation.path}:${citation.start_line ?? 1}`;
  return `${place}\n${content.slice(0, MOST_CONTENT).toWellFormed()}`;
}

function actionText({ purpose, query, repositories, paths }: SearchAction): string {
  const where = paths.length === 0 ? '' : ` in ${paths.join(' ')}`;
  return `${purpose}: ${query} (${repositories.join(', ')}${where})`;
}
