import { z } from 'zod';

import { analyze } from '#retrieval';

import { QUESTION_KINDS, type QuestionKind, type Understanding } from '../plan/question.types.js';
import { fenced, Listing } from './listing.js';
import { DATA_RULE, type ModelTask } from './model-task.types.js';

const SCHEMA = z.object({
  kind: z.enum(QUESTION_KINDS),
  names: z.array(z.string()),
  terms: z.array(z.string()),
});
type UnderstandAnswer = z.output<typeof SCHEMA>;

const MOST_WORDS = 60;
const MOST_NAMES = 8;
const WORD = /[\p{L}\p{N}_$]+(?:\.[\p{L}\p{N}_$]+)*/gu;

/**
 * Returns the task to read a question: its kind, and which of its words are names and terms. The
 * plan is the understanding that the searches use; null if the question has no words to choose.
 */
export function understandTask(
  understanding: Understanding,
): ModelTask<UnderstandAnswer, Understanding> | null {
  const words = new Listing('w', wordsOf(understanding));
  if (words.items.length < 2) return null;
  return {
    name: 'understanding',
    schema: SCHEMA,
    instructions:
      `You prepare searches in source code. ${DATA_RULE} ` +
      'Set `kind` to the kind of the question. ' +
      'Put into `names` the ids of words that are names of definitions in code. ' +
      'Put into `terms` the ids of words that an answer has to contain, most important first.',
    text: `Question:\n${fenced(understanding.question)}\n\nWords:\n${words.shown((word) => word)}`,
    read: ({ kind, names, terms }) => {
      const problem = words.problem([...names, ...terms]);
      if (problem !== null) return { problem };
      return { plan: planned(understanding, kind, words.pick(names), words.pick(terms)) };
    },
  };
}

function wordsOf({ question, identifiers }: Understanding): string[] {
  const words = question.match(WORD) ?? ([] as string[]);
  const useful = words.filter((word) => analyze(word).length > 0);
  return [...new Set([...identifiers, ...useful])].slice(0, MOST_WORDS);
}

/** Keeps the names that the rules found: a model adds names and orders terms. */
function planned(
  understanding: Understanding,
  kind: QuestionKind,
  names: readonly string[],
  chosen: readonly string[],
): Understanding {
  const terms = [...new Set(chosen.flatMap((word) => analyze(word)))];
  return {
    ...understanding,
    kind,
    identifiers: [...new Set([...understanding.identifiers, ...names])].slice(0, MOST_NAMES),
    terms: terms.length > 0 ? terms : understanding.terms,
  };
}
