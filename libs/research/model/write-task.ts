import { z } from 'zod';

import type { AnswerDraft } from '../answer/answer.types.js';
import type { ResearchPassage } from '../plan/action.types.js';
import { fenced, Listing } from './listing.js';
import { DATA_RULE, type ModelTask } from './model-task.types.js';

const SCHEMA = z.object({
  sections: z.array(
    z.object({
      title: z.string(),
      claims: z.array(z.object({ text: z.string(), passages: z.array(z.string()) })),
    }),
  ),
  not_found: z.array(z.string()),
});

/** Limits of a draft; a model may write without end. */
const MOST_SECTIONS = 12;
const MOST_CLAIMS = 40;
const MOST_PASSAGES = 20;
const MOST_NOT_FOUND = 20;
const MOST_TITLE = 200;
const MOST_TEXT = 2_000;

type WriteAnswer = z.output<typeof SCHEMA>;

/** Returns the task to draft an answer from listed passages; null without any. */
export function writeTask(
  question: string,
  evidence: readonly ResearchPassage[],
): ModelTask<WriteAnswer, AnswerDraft> | null {
  if (evidence.length === 0) return null;
  const numbers = evidence.map((_, at) => at + 1);
  const listing = new Listing('p', numbers);
  const shown = listing.shown((number) => passageText(evidence[number - 1]));
  return {
    name: 'answer',
    schema: SCHEMA,
    instructions:
      `You answer a question from passages of source code. ${DATA_RULE} ` +
      'Write short sections of claims, one sentence each. ' +
      'Each claim has in `passages` the ids of the passages that show it. ' +
      'Write names and numbers exactly as the passages have them, and no others. ' +
      'Put into `not_found` a sentence for each part of the question that no passage answers.',
    text: `Question:\n${fenced(question)}\n\nPassages:\n${shown}`,
    read: ({ sections, not_found }) => {
      const drafted = sections.slice(0, MOST_SECTIONS).map(({ title, claims }) => ({
        title: title.slice(0, MOST_TITLE).toWellFormed(),
        claims: claims.slice(0, MOST_CLAIMS).map(({ text, passages }) => ({
          text: text.slice(0, MOST_TEXT).toWellFormed(),
          // Ids that are not listed are dropped; a claim without any other is removed later.
          passages: listing.pick(passages.slice(0, MOST_PASSAGES)),
        })),
      }));
      const cites = drafted.some(({ claims }) => claims.some((each) => each.passages.length > 0));
      const missing = not_found
        .slice(0, MOST_NOT_FOUND)
        .map((text) => text.slice(0, MOST_TEXT).toWellFormed());
      if (cites) return { plan: { sections: drafted, not_found: missing } };
      const ids = sections.flatMap(({ claims }) => claims.flatMap(({ passages }) => passages));
      return { problem: listing.problem(ids) ?? 'Some claim must cite a listed passage' };
    },
  };
}

function passageText(passage: ResearchPassage | undefined): string {
  if (!passage) return '';
  const { repo, result } = passage;
  const { path, start_line, symbol } = result.citation;
  const place = `${repo} ${path}:${start_line ?? 1}${symbol === undefined ? '' : ` ${symbol}`}`;
  return `${place}\n${result.content}`;
}
