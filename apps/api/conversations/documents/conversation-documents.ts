import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { type Audience, isFootnoteError } from '#contracts';
import type { ConversationDocumentView } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { isFor, ofConversation, visibleSource } from '#search';

import type { Caller } from '../../auth/caller.js';
import { LiveSources } from '../../sources/live-sources.js';
import { RemoveSource } from '../../sources/remove-source.js';

/** Documents of conversations are sources like any other, which no search and no list shows. */
@Injectable()
export class ConversationDocuments {
  constructor(
    private readonly commands: CommandBus,
    private readonly live: LiveSources,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /**
   * Those of the documents that are there, as their streams show them; one that could not be read
   * is not.
   */
  async list(
    { tenantId }: Caller,
    conversationId: string,
    documentIds: readonly string[],
  ): Promise<ConversationDocumentView[]> {
    const found = await Promise.all(
      documentIds.map(async (id): Promise<ConversationDocumentView[]> => {
        let uploadedAt: string | undefined;
        const { state } = await foldStream(this.store, sourceDecider, `source-${id}`, {
          onEvent: ({ metadata }) => {
            if (metadata.tenant_id === tenantId) uploadedAt ??= metadata.occurred_at;
          },
        });
        if (uploadedAt === undefined || state.status !== 'registered') return [];
        if (!isFor(state.audience, audienceOf(conversationId))) return [];
        const seen = visibleSource(this.live, { tenantId }, id, ofConversation(conversationId));
        const file_name = state.definition.upload?.file_name ?? state.name;
        return [
          { document_id: id, file_name, uploaded_at: uploadedAt, is_indexed: seen !== undefined },
        ];
      }),
    );
    return found.flat();
  }

  /**
   * Removes documents with everything indexed of them; one that is not there, or is gone already,
   * is passed over.
   */
  async remove(
    caller: Caller,
    conversationId: string,
    documentIds: readonly string[],
  ): Promise<void> {
    const unkeyed = { ...caller, idempotencyKey: undefined };
    for (const id of documentIds) {
      try {
        await this.commands.execute(new RemoveSource(unkeyed, id, audienceOf(conversationId)));
      } catch (error) {
        if (!isFootnoteError(error, 'source_not_found')) throw error;
      }
    }
  }
}

/** Returns the audience of the documents of a conversation. */
export function audienceOf(conversationId: string): Audience {
  return { kind: 'conversation', conversation_id: conversationId };
}
