import { conversationsTable } from '#read-model';

import { defineProjection } from '../runner/projection.js';

export const conversationsProjection = defineProjection({
  name: 'conversations',
  version: 1,
  table: conversationsTable,
  handles: [
    'ConversationStarted',
    'TurnAdded',
    'ConversationRenamed',
    'ConversationDocumentAdded',
    'ConversationDeleted',
  ],
  keyOf: (event) => [event.tenant_id, event.data.conversation_id],
  evolve: (row, event) => {
    const { tenant_id, occurred_at, position } = event;
    switch (event.type) {
      case 'ConversationStarted': {
        const { conversation_id, user_id, key, title } = event.data;
        const started = { tenant_id, conversation_id, user_id, position, key, title };
        return row ?? { ...started, created_at: occurred_at, updated_at: occurred_at };
      }
      case 'ConversationRenamed':
        return row && { ...row, title: event.data.title, updated_at: occurred_at };
      case 'TurnAdded':
      case 'ConversationDocumentAdded':
        return row && { ...row, updated_at: occurred_at };
      case 'ConversationDeleted':
        return undefined;
    }
  },
});
