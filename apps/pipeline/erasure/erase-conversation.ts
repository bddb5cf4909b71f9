import { conversationDecider } from '#domain';
import { type EventStore, handleCommand } from '#event-store';
import { type Clock, conversationKeys, type KeyRing, uuidv5 } from '#platform';

import { systemContext } from '../log/commands.js';
import type { LeftConversation } from './conversation-ledger.js';
import { removeSource } from './remove-source.js';

export interface EraseConversationDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
}

/**
 * Deletes a conversation as its person would: the key first, then the documents, the event last. An
 * interrupted deletion is found and repeated; repeating it is harmless.
 */
export async function eraseConversation(
  dependencies: EraseConversationDependencies,
  { conversationId, userId, documents, cause }: LeftConversation,
): Promise<void> {
  const { store, clock, keyRing } = dependencies;
  await keyRing.destroy(conversationKeys(conversationId));
  for (const sourceId of [...documents]) await removeSource(dependencies, sourceId, cause);
  const command = { type: 'DeleteConversation', data: { user_id: userId } } as const;
  await handleCommand({
    store,
    clock,
    decider: conversationDecider,
    stream: `conversation-${conversationId}`,
    expected: 'existing',
    decide: (state) => (state.status === 'open' ? conversationDecider.decide(command, state) : []),
    context: systemContext(uuidv5('erase-conversation', conversationId), cause, clock),
  });
}
