import { Inject, Injectable } from '@nestjs/common';

import { type AnswerOutcome, RECEIPT_EVENT_BYTES } from '#contracts';
import { answerDecider } from '#domain';
import { EVENT_STORE, type EventStore, readEvent } from '#event-store';
import type { ChatUsage } from '#models';
import { KEY_RING, type KeyRing, openParts, sealParts, uuidv5 } from '#platform';

import type { Caller } from '../../auth/caller.js';
import { ConversationKeys, type ConversationSeal } from '../../conversations/conversation-keys.js';
import { StreamCommands } from '../../write/stream-commands.js';

/** Fields around the first part of the words, and JSON around each further one. */
const FRAME_BYTES = 1_024;

/** A stored answer to a question. */
export interface StoredAnswer {
  readonly outcome: AnswerOutcome;
  /** Null where no model was asked. */
  readonly model: string | null;
  readonly usage: ChatUsage | null;
  /** Numbers of the evidence that it cites. */
  readonly cited: readonly number[];
  /** Null where it was erased. */
  readonly text: string | null;
}

/** Stores answers: one stream for each answer, with the name of its receipt. */
@Injectable()
export class AnswerStore {
  constructor(
    private readonly commands: StreamCommands,
    private readonly conversations: ConversationKeys,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /**
   * Resolves when it is stored; again with the same id changes nothing.
   * @param conversation whose key seals the words. Default: the tenant's does.
   * @throws FootnoteError as every command.
   */
  async save(
    caller: Caller,
    answerId: string,
    { text, usage, cited, ...given }: StoredAnswer,
    conversation?: ConversationSeal,
  ): Promise<void> {
    const room = RECEIPT_EVENT_BYTES - FRAME_BYTES;
    const sealed = await sealParts(
      conversation?.sealer ?? this.keyRing,
      placeOf(caller.tenantId, answerId),
      text ?? '',
      [room, room],
    );
    const counted = usage && {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
    };
    const data = {
      answer_id: answerId,
      ...given,
      ...(conversation && { conversation_id: conversation.conversationId }),
      cited: [...cited].sort((a, b) => a - b),
      usage: counted,
      sealed,
    };
    const commandId = uuidv5('answer', answerId);
    await this.commands.run({
      caller,
      identity: { commandId, idempotency: undefined, newId: () => commandId },
      stream: `answer-${answerId}`,
      decider: answerDecider,
      expected: 'new',
      decide: (state) => answerDecider.decide({ type: 'GiveAnswer', data }, state),
    });
  }

  /** Undefined where none was given: the model failed, or is at it. */
  async find(tenantId: string, answerId: string): Promise<StoredAnswer | undefined> {
    let found: Omit<StoredAnswer, 'text'> | undefined;
    const parts: string[] = [];
    let conversationId: string | undefined;
    for await (const recorded of this.store.read(`answer-${answerId}`)) {
      const event = recorded.metadata.tenant_id === tenantId ? readEvent(recorded) : undefined;
      if (event?.type === 'AnswerGiven') {
        const { outcome, model, cited, prompt_tokens, completion_tokens, text } = event.data;
        conversationId = event.data.conversation_id;
        const usage =
          prompt_tokens === undefined || completion_tokens === undefined
            ? null
            : { promptTokens: prompt_tokens, completionTokens: completion_tokens };
        found = { outcome, model, cited, usage };
        if (text !== null) parts.push(text);
      }
      if (event?.type === 'AnswerContinued') parts.push(event.data.sealed);
    }
    const sealed =
      conversationId === undefined
        ? undefined
        : await this.conversations.of(tenantId, conversationId);
    if (conversationId !== undefined && !sealed)
      throw new Error('An answer names a conversation that its tenant never had');
    return (
      found && {
        ...found,
        text: await openParts(sealed?.sealer ?? this.keyRing, placeOf(tenantId, answerId), parts),
      }
    );
  }
}

function placeOf(tenantId: string, answerId: string) {
  return { tenantId, boundTo: `answer-${answerId}/text` };
}
