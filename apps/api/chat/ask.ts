import { Query, type IQueryHandler } from '@nestjs/cqrs';

import type { ChatBody, ChatResponseView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { ChatTurns } from './answer/chat-turns.js';
import { requireNoConversation } from './require-no-conversation.js';

/** Answers a question in words, from what the caller's tenant has indexed. Charged; the answer and its evidence are kept. */
export class Ask extends Query<ChatResponseView> {
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
  constructor(private readonly turns: ChatTurns) {}

  /** @throws FootnoteError `engine_unavailable` where the model gives no answer. */
  async execute({ caller, request, gone }: Ask): Promise<ChatResponseView> {
    requireNoConversation(request);
    const turn = await this.turns.begin(caller, { request });
    let answer = '';
    for await (const piece of this.turns.answer(turn, gone)) {
      if (piece.type === 'done') return { answer, ...piece.summary };
      answer += piece.token;
    }
    throw new Error('An answer ended without telling how');
  }
}
