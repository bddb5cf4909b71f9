import { Inject, Injectable } from '@nestjs/common';

import { RECEIPT_EVENT_BYTES, type AnswerOutcome } from '#contracts';
import { answerDecider } from '#domain';
import { EVENT_STORE, readEvent, type EventStore } from '#event-store';
import type { ChatUsage } from '#models';
import { KEY_RING, uuidv5, type KeyRing } from '#platform';

import type { Caller } from '../../auth/caller.js';
import { openParts, sealParts } from '../../write/sealed-parts.js';
import { StreamCommands } from '../../write/stream-commands.js';

/** Fields around the first part of the words, and JSON around each further one. */
const FRAME_BYTES = 1_024;

/** What was answered to a question. */
export interface GivenAnswer {
  readonly outcome: AnswerOutcome;
  /** Null where no model was asked. */
  readonly model: string | null;
  readonly usage: ChatUsage | null;
  /** Numbers of the evidence that it cites. */
  readonly cited: readonly number[];
  /** Null where it was erased. */
  readonly text: string | null;
}

/** Keeps what was answered: one stream an answer, named as its receipt. */
@Injectable()
export class GivenAnswers {
  constructor(
    private readonly commands: StreamCommands,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /** Resolves when it is stored; again with the same id changes nothing. @throws FootnoteError as every command. */
  async give(caller: Caller, answerId: string, { text, usage, cited, ...given }: GivenAnswer): Promise<void> {
    const room = RECEIPT_EVENT_BYTES - FRAME_BYTES;
    const sealed = await sealParts(this.keyRing, placeOf(caller.tenantId, answerId), text ?? '', [room, room]);
    const counted = usage && { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens };
    const data = { answer_id: answerId, ...given, cited: [...cited].sort((a, b) => a - b), usage: counted, sealed };
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
  async of(tenantId: string, answerId: string): Promise<GivenAnswer | undefined> {
    let found: Omit<GivenAnswer, 'text'> | undefined;
    const parts: string[] = [];
    for await (const recorded of this.store.read(`answer-${answerId}`)) {
      const event = recorded.metadata.tenant_id === tenantId ? readEvent(recorded) : undefined;
      if (event?.type === 'AnswerGiven') {
        const { outcome, model, cited, prompt_tokens, completion_tokens, text } = event.data;
        const usage =
          prompt_tokens === undefined || completion_tokens === undefined
            ? null
            : { promptTokens: prompt_tokens, completionTokens: completion_tokens };
        found = { outcome, model, cited, usage };
        if (text !== null) parts.push(text);
      }
      if (event?.type === 'AnswerContinued') parts.push(event.data.sealed);
    }
    return found && { ...found, text: await openParts(this.keyRing, placeOf(tenantId, answerId), parts) };
  }
}

function placeOf(tenantId: string, answerId: string) {
  return { tenantId, boundTo: `answer-${answerId}/text` };
}
