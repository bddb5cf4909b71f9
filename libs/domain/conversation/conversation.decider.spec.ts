import { describe, it } from '@jest/globals';

import type { ConversationEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import {
  type AddTurn,
  conversationDecider,
  MAX_DOCUMENTS,
  MAX_TURNS,
} from './conversation.decider.js';

const { given } = specify(conversationDecider);
const [conversation_id, user_id] = ['c1', 'u1'];
const begun = { conversation_id, user_id, key: 'key', title: null };
const started: ConversationEvent = { type: 'ConversationStarted', data: begun };
const added = (turn: number, parts = 0): ConversationEvent => ({
  type: 'TurnAdded',
  data: { conversation_id, turn, receipt_id: `r${turn}`, text: 'one', text_parts: parts },
});
const add = (turn: number, changes: Partial<AddTurn['data']> = {}): AddTurn => ({
  type: 'AddTurn',
  data: { user_id, turn, receipt_id: `r${turn}`, sealed: ['one'], title: null, ...changes },
});
const renamed = (title: string): ConversationEvent => ({
  type: 'ConversationRenamed',
  data: { conversation_id, title },
});
const document = (document_id: string): ConversationEvent => ({
  type: 'ConversationDocumentAdded',
  data: { conversation_id, document_id },
});
const deleted: ConversationEvent = {
  type: 'ConversationDeleted',
  data: { conversation_id, document_ids: [] },
};

describe('conversation', () => {
  it('starts once', () => {
    given().when({ type: 'StartConversation', data: begun }).then(started);
    given(started).when({ type: 'StartConversation', data: begun }).thenNothingHappened();
  });

  it('appends turns in order and rejects the second of two concurrent turns as a conflict', () => {
    given(started).when(add(1)).then(added(1));
    given(started, added(1)).when(add(2)).then(added(2));
    given(started, added(1))
      .when(add(1, { receipt_id: 'other' }))
      .thenRefused('concurrent_change');
    given(started, added(1)).when(add(1)).thenNothingHappened();
  });

  it('stores a long turn in parts', () => {
    const rest: ConversationEvent = { type: 'TurnContinued', data: { part: 1, sealed: 'two' } };
    given(started)
      .when(add(1, { sealed: ['one', 'two'] }))
      .then(added(1, 1), rest);
  });

  it('takes its title from the first question unless a person named it', () => {
    given(started)
      .when(add(1, { title: 'question' }))
      .then(added(1), renamed('question'));
    given(started, renamed('mine'))
      .when(add(1, { title: 'question' }))
      .then(added(1));
  });

  it('limits turns and documents', () => {
    const many = Array.from({ length: MAX_TURNS }, (_, at) => added(at + 1));
    given(started, ...many)
      .when(add(MAX_TURNS + 1))
      .thenRefused('conversation_full');
    const documents = Array.from({ length: MAX_DOCUMENTS }, (_, at) => document(`d${at}`));
    const more = { type: 'AddDocument', data: { user_id, document_id: 'more' } } as const;
    given(started, ...documents)
      .when(more)
      .thenRefused('conversation_full');
    given(started, ...documents)
      .when({ ...more, data: { user_id, document_id: 'd1' } })
      .thenNothingHappened();
  });

  it('names its documents when it is deleted, and does not exist afterwards', () => {
    given(started, document('d1'))
      .when({ type: 'DeleteConversation', data: { user_id } })
      .then({ type: 'ConversationDeleted', data: { conversation_id, document_ids: ['d1'] } });
    const commands = [
      add(1),
      { type: 'RenameConversation', data: { user_id, title: 't' } },
      { type: 'AddDocument', data: { user_id, document_id: 'd' } },
      { type: 'DeleteConversation', data: { user_id } },
    ] as const;
    for (const command of commands) {
      given(started, deleted).when(command).thenRefused('conversation_not_found');
      given().when(command).thenRefused('conversation_not_found');
      const other = { ...command, data: { ...command.data, user_id: 'u2' } } as typeof command;
      given(started).when(other).thenRefused('conversation_not_found');
    }
  });
});
