import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { RateLimit } from '#contracts';
import type { ChatBody, ChatResponseView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { ConversationTurns } from './conversation/conversation-turns.js';

/** An answer with what is left of the quota. */
export interface AskedAnswer {
  readonly answer: ChatResponseView;
  readonly rateLimit: RateLimit | null;
}

/**
 * Answers a question in words, from the indexed content of the caller's tenant. Charged; the answer
 * and its evidence are stored.
 */
export class Ask extends Query<AskedAnswer> {
  constructor(
    readonly caller: Caller,
    readonly request: Readonly<ChatBody>,
    /** Aborts when nobody waits for the answer any more: the model is stopped then. */
    readonly gone: AbortSignal,
  ) {
    super();
  }
}

@Handles(Ask)
export class AskHandler implements IQueryHandler<Ask> {
  constructor(private readonly turns: ConversationTurns) {}

  /**
   * @throws FootnoteError `engine_unavailable` where the model gives no answer; as conversations
   * show.
   */
  async execute({ caller, request, gone }: Ask): Promise<AskedAnswer> {
    const turn = await this.turns.begin(caller, request, gone);
    let answer = '';
    for await (const piece of this.turns.answer(turn, gone)) {
      if (piece.type === 'done')
        return { answer: { answer, ...piece.summary }, rateLimit: turn.turn.rateLimit };
      answer += piece.token;
    }
    throw new Error('An answer ended without an outcome');
  }
}
