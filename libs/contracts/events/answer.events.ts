import { z } from 'zod';

import { MOST_PASSAGES } from '../content/answer-limits.js';
import { count, id } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';
import { sealedText } from './receipt.js';

/** The possible ends of a chat answer. */
export const ANSWER_OUTCOMES = ['answered', 'no_evidence', 'abandoned'] as const;
export type AnswerOutcome = (typeof ANSWER_OUTCOMES)[number];

/**
 * Stream `answer-<id>`. Its id is that of the receipt with the answer's evidence. The event holds
 * the sealed words of an answer to a question, and the model that wrote them.
 *
 * `abandoned`: the client left before the end, and these words were sent to it.
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

/**
 * The next part of the sealed words, which did not fit the event before. It is in the same append.
 */
export const answerContinued = defineEvent(
  'AnswerContinued',
  1,
  z.object({ part: count, sealed: sealedText }),
);

export const answerEvents = [answerGiven, answerContinued] as const;
export type AnswerEvent = EventOf<(typeof answerEvents)[number]>;
