import { defineTable } from './define-table.js';

/** No words of it in the clear: its title is opened by whoever reads it. */
export interface ConversationsRow {
  readonly tenant_id: string;
  readonly conversation_id: string;
  readonly user_id: string;
  /** Place in the log of its start: newest first is by position, descending. */
  readonly position: string;
  /** The data key, sealed. */
  readonly key: string;
  /** Sealed; null while it has none. */
  readonly title: string | null;
  readonly created_at: string;
  /** Of the last turn, title or document. */
  readonly updated_at: string;
}

export const conversationsTable = defineTable<ConversationsRow>('conversations', {
  columns: {
    tenant_id: { type: 'text' },
    conversation_id: { type: 'text' },
    user_id: { type: 'text' },
    position: { type: 'text' },
    key: { type: 'text' },
    title: { type: 'text', nullable: true },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'conversation_id'],
  indexes: ['tenant_id, user_id, position desc'],
});
