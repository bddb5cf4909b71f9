import { z } from 'zod';

import { MOST_PASSAGES } from '../content/answer-limits.js';
import { count, id } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';
import { sealedText } from './receipt.js';

/** How a chat answer came to its end. */
export const ANSWER_OUTCOMES = ['answered', 'no_evidence', 'abandoned'] as const;
export type AnswerOutcome = (typeof ANSWER_OUTCOMES)[number];

/**
 * Stream `answer-<id>`, whose id is that of the receipt that tells what the answer stands on: the
 * words of an answer to a question, sealed, with the model that gave them. `abandoned`: the client
 * left before the end, these words it was sent.
 */
export const answerGiven = defineEvent(
  'AnswerGiven',
  1,
  z.object({
    answer_id: id,
    outcome: z.enum(ANSWER_OUTCOMES),
    /** Null where no model was asked. */
    model: z.string().max(256).nullable(),
    /** As the model counts them; absent where it counts none. */
    prompt_tokens: count.optional(),
    completion_tokens: count.optional(),
    /** Numbers of the receipt's results, from 1, that the answer cites. */
    cited: z.array(count).max(MOST_PASSAGES),
    /**
     * The conversation that it was given in, with whose key it is sealed; absent where that is the
     * tenant's.
     */
    conversation_id: id.optional(),
    /** First part of the words, sealed; null where the key was destroyed before. */
    text: sealedText.nullable(),
    /** Parts of them that follow as events. */
    text_parts: count,
  }),
);

/** What the event before could not hold: the next part of the sealed words. Of the same append. */
export const answerContinued = defineEvent(
  'AnswerContinued',
  1,
  z.object({ part: count, sealed: sealedText }),
);

export const answerEvents = [answerGiven, answerContinued] as const;
export type AnswerEvent = EventOf<(typeof answerEvents)[number]>;
