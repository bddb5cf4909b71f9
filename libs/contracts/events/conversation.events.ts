import { z } from 'zod';

import { count, id, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * Stream `conversation-<id>`: the questions of one person, and their answers. All its words are
 * sealed with a key of its own. That key is stored here, itself sealed with the keys of
 * conversation, person and tenant. If any one of these keys is missing, nothing of the conversation
 * is readable.
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
    /** The receipt of the answer's evidence; the answer has the same id. */
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

/**
 * The next part of the turn's text, which did not fit the event before. It is in the same append.
 */
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
