import { z } from 'zod';

import { count, id, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * Stream `conversation-<id>`: what one person asks and is answered. All words of it are sealed with
 * a key of its own, which is kept here, itself sealed with the keys of conversation, person and
 * tenant: without any one of them nothing of it is readable.
 */
export const conversationStarted = defineEvent(
  'ConversationStarted',
  1,
  z.object({
    conversation_id: id,
    user_id: id,
    /** The data key, sealed. */
    key: sealedText,
    /** Null until somebody names it or asks the first question. */
    title: sealedText.nullable(),
  }),
);

/** A question with its answer. An answer that failed or was broken off is no turn. */
export const turnAdded = defineEvent(
  'TurnAdded',
  1,
  z.object({
    conversation_id: id,
    /** From 1. */
    turn: count,
    /** What the answer stands on; the answer is under the same id. */
    receipt_id: id,
    /**
     * First part of question, answer and citations, sealed; null where the key was destroyed
     * before.
     */
    text: sealedText.nullable(),
    /** Parts of it that follow as events. */
    text_parts: count,
  }),
);

/** What the event before could not hold: the next part of its text. Of the same append. */
export const turnContinued = defineEvent(
  'TurnContinued',
  1,
  z.object({ part: count, sealed: sealedText }),
);

export const conversationRenamed = defineEvent(
  'ConversationRenamed',
  1,
  z.object({ conversation_id: id, title: sealedText }),
);

/**
 * The source that an uploaded document is, which no other conversation sees. Comes before the
 * source's registration.
 */
export const conversationDocumentAdded = defineEvent(
  'ConversationDocumentAdded',
  1,
  z.object({ conversation_id: id, document_id: id }),
);

/** Its key and its documents go after this event. */
export const conversationDeleted = defineEvent(
  'ConversationDeleted',
  1,
  z.object({ conversation_id: id, document_ids: z.array(id).max(100) }),
);

export const conversationEvents = [
  conversationStarted,
  turnAdded,
  turnContinued,
  conversationRenamed,
  conversationDocumentAdded,
  conversationDeleted,
] as const;
export type ConversationEvent = EventOf<(typeof conversationEvents)[number]>;
