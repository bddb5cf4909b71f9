import { type ConversationEvent, type Decider, FootnoteError } from '#contracts';

import { defineStream } from '../define-stream.js';

/** Maximum number of turns of a conversation, since it is read as a whole. */
export const MAX_TURNS = 500;
/** Maximum number of documents of a conversation. */
export const MAX_DOCUMENTS = 20;

export interface StartConversation {
  readonly type: 'StartConversation';
  readonly data: {
    readonly conversation_id: string;
    readonly user_id: string;
    readonly key: string;
    /** Sealed. */
    readonly title: string | null;
  };
}

/**
 * The owner, which every command after the start names. For everybody else the conversation does
 * not exist.
 */
interface OfPerson {
  readonly user_id: string;
}

export interface AddTurn {
  readonly type: 'AddTurn';
  readonly data: OfPerson & {
    /** The number after the last turn that the answer took into account. */
    readonly turn: number;
    readonly receipt_id: string;
    /** Parts of the sealed text, in order; empty if the key was destroyed. */
    readonly sealed: readonly string[];
    /** Sealed; becomes the title if the conversation has none. */
    readonly title: string | null;
  };
}

export interface RenameConversation {
  readonly type: 'RenameConversation';
  readonly data: OfPerson & { readonly title: string };
}

export interface AddDocument {
  readonly type: 'AddDocument';
  readonly data: OfPerson & { readonly document_id: string };
}

export interface DeleteConversation {
  readonly type: 'DeleteConversation';
  readonly data: OfPerson;
}

export type ConversationCommand =
  StartConversation | AddTurn | RenameConversation | AddDocument | DeleteConversation;

export interface OpenConversation {
  readonly status: 'open';
  readonly conversation_id: string;
  readonly user_id: string;
  /** The data key, sealed. */
  readonly key: string;
  readonly title: string | null;
  readonly turns: number;
  readonly last_receipt_id: string | null;
  readonly document_ids: readonly string[];
}

export type ConversationState =
  | { readonly status: 'absent' }
  | OpenConversation
  | (Pick<OpenConversation, 'conversation_id' | 'user_id' | 'document_ids'> & {
      readonly status: 'deleted';
    });

/** Stream `conversation-<id>`: it belongs to one person, and its turns follow each other. */
export const conversationDecider: Decider<
  ConversationCommand,
  ConversationState,
  ConversationEvent
> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const conversationStreams = defineStream({
  pattern: 'conversation-<conversation_id>',
  decider: conversationDecider,
  commands: {
    StartConversation: true,
    AddTurn: true,
    RenameConversation: true,
    AddDocument: true,
    DeleteConversation: true,
  },
  events: {
    ConversationStarted: true,
    TurnAdded: true,
    TurnContinued: true,
    ConversationRenamed: true,
    ConversationDocumentAdded: true,
    ConversationDeleted: true,
  },
});

/**
 * @throws FootnoteError `conversation_not_found` for everybody but the owner; `conversation_full`;
 * `concurrent_change` if another turn was appended first.
 */
function decide(
  command: ConversationCommand,
  state: ConversationState,
): readonly ConversationEvent[] {
  if (command.type === 'StartConversation') {
    return state.status === 'absent' ? [{ type: 'ConversationStarted', data: command.data }] : [];
  }
  if (state.status !== 'open' || state.user_id !== command.data.user_id) throw absent();
  const { conversation_id, document_ids } = state;
  switch (command.type) {
    case 'AddTurn':
      return addTurn(command.data, state);
    case 'RenameConversation':
      return [
        { type: 'ConversationRenamed', data: { conversation_id, title: command.data.title } },
      ];
    case 'AddDocument': {
      const { document_id } = command.data;
      if (document_ids.includes(document_id)) return [];
      if (document_ids.length >= MAX_DOCUMENTS) throw full(`${MAX_DOCUMENTS} documents`);
      return [{ type: 'ConversationDocumentAdded', data: { conversation_id, document_id } }];
    }
    case 'DeleteConversation':
      return [
        { type: 'ConversationDeleted', data: { conversation_id, document_ids: [...document_ids] } },
      ];
  }
}

function addTurn(
  { turn, receipt_id, sealed, title }: AddTurn['data'],
  state: OpenConversation,
): readonly ConversationEvent[] {
  const { conversation_id } = state;
  if (state.last_receipt_id === receipt_id) return [];
  if (state.turns >= MAX_TURNS) throw full(`${MAX_TURNS} turns`);
  if (turn !== state.turns + 1) {
    throw new FootnoteError(
      'concurrent_change',
      'Another turn of this conversation was added first; ask again',
      {
        retryAfter: 1,
      },
    );
  }
  const [text = null, ...rest] = sealed;
  const named = state.title === null && title !== null;
  return [
    {
      type: 'TurnAdded',
      data: { conversation_id, turn, receipt_id, text, text_parts: rest.length },
    },
    ...rest.map((part, at): ConversationEvent => ({
      type: 'TurnContinued',
      data: { part: at + 1, sealed: part },
    })),
    ...(named ? [{ type: 'ConversationRenamed' as const, data: { conversation_id, title } }] : []),
  ];
}

function absent(): FootnoteError {
  return new FootnoteError('conversation_not_found', 'Conversation not found');
}

function full(limit: string): FootnoteError {
  return new FootnoteError(
    'conversation_full',
    `The conversation has ${limit}, the maximum; start another conversation`,
  );
}

function evolve(state: ConversationState, event: ConversationEvent): ConversationState {
  if (event.type === 'ConversationStarted') {
    if (state.status !== 'absent') return state;
    return { status: 'open', ...event.data, turns: 0, last_receipt_id: null, document_ids: [] };
  }
  if (state.status !== 'open') return state;
  switch (event.type) {
    case 'TurnAdded':
      return { ...state, turns: event.data.turn, last_receipt_id: event.data.receipt_id };
    case 'ConversationRenamed':
      return { ...state, title: event.data.title };
    case 'ConversationDocumentAdded':
      return { ...state, document_ids: [...state.document_ids, event.data.document_id] };
    case 'ConversationDeleted': {
      const { conversation_id, user_id, document_ids } = state;
      return { status: 'deleted', conversation_id, user_id, document_ids };
    }
    default:
      return state;
  }
}
