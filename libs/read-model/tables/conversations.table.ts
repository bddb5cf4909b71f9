import { defineTable } from './define-table.js';

/** Contains no plain text: the reader decrypts the title. */
export interface ConversationsRow {
  readonly tenant_id: string;
  readonly conversation_id: string;
  readonly user_id: string;
  /** Position of its start in the log; newest first is descending. */
  readonly position: string;
  /** The data key, sealed. */
  readonly key: string;
  /** Sealed; null if it has none. */
  readonly title: string | null;
  readonly created_at: string;
  /** Time of the last turn, title or document. */
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
