import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import type { ChatStreamBody } from '#contracts/http/index';
import { type Config, LOGGER, type Logger } from '#platform';
import { tokenCounter } from '#search';

import type { Caller } from '../../auth/caller.js';
import {
  Conversations,
  type ReadConversation,
  type TurnText,
} from '../../conversations/conversations.js';
import { CONFIG } from '../../engines/engines.js';
import {
  type BegunTurn,
  type ChatPiece,
  type ChatQuestion,
  ChatTurns,
} from '../answer/chat-turns.js';
import { fittingHistory } from './chat-history.js';
import { QuestionRewriter } from './question-rewriter.js';
import { TurnOrder } from './turn-order.js';

/** Maximum share of earlier turns in the token budget; passages have the rest. */
const HISTORY_SHARE = 0.25;
/** Earlier turns that are looked at. */
const MOST_TURNS = 20;

/** A turn that was searched for and charged, with the conversation that it will be one of. */
export interface ConversationTurn {
  readonly turn: BegunTurn;
  readonly conversation: ReadConversation | null;
  /** Lets the next turn of the conversation begin; again is harmless. */
  readonly release: () => void;
}

/**
 * Answers questions as turns of a conversation if they name one. If they name none, no turn is
 * stored.
 */
@Injectable()
export class ConversationTurns {
  constructor(
    private readonly turns: ChatTurns,
    private readonly conversations: Conversations,
    private readonly order: TurnOrder,
    private readonly rewriter: QuestionRewriter,
    @Inject(CONFIG) private readonly config: Pick<Config, 'chat'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Waits for the turns before, searches and charges.
   * @throws FootnoteError as a search does; `sign_in_required`, `conversation_not_found`,
   * `concurrent_change`.
   */
  async begin(
    caller: Caller,
    asked: Readonly<ChatStreamBody>,
    gone: AbortSignal,
  ): Promise<ConversationTurn> {
    const request = this.readable(asked);
    const { conversation_id: id } = request;
    if (id === undefined) {
      return {
        turn: await this.turns.begin(caller, { request, mentions: request.package_mentions }),
        conversation: null,
        release: () => undefined,
      };
    }
    if (caller.principal?.kind !== 'user') {
      throw new FootnoteError(
        'sign_in_required',
        'Conversations require a session; an API key has none',
      );
    }
    // The owner is checked first: nobody waits for, or delays, a conversation of another person.
    await this.conversations.read(caller, id);
    const release = await this.order.enter(id, gone);
    gone.addEventListener('abort', release, { once: true });
    try {
      const conversation = await this.conversations.read(caller, id);
      const turn = await this.turns.begin(
        caller,
        await this.questionOf(caller, request, conversation, gone),
      );
      return { turn, conversation, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Streams the answer. It becomes a turn before its end is sent; one that fails, or whose client
   * leaves, does not.
   *
   * @throws as `ChatTurns.answer`; FootnoteError `concurrent_change` where another process took the
   * turn: it is not charged then.
   */
  async *answer(
    { turn, conversation, release }: ConversationTurn,
    gone: AbortSignal,
  ): AsyncGenerator<ChatPiece> {
    try {
      let answer = '';
      for await (const piece of this.turns.answer(turn, gone)) {
        if (piece.type === 'token') {
          answer += piece.token;
          yield piece;
        } else if (conversation) {
          const { query: question } = turn.question.request;
          const { citations } = piece.summary;
          const standalone = turn.standalone === undefined ? {} : { standalone: turn.standalone };
          await this.add(turn, conversation, { question, ...standalone, answer, citations });
          const { conversation_id } = conversation.state;
          yield { type: 'done', summary: { ...piece.summary, conversation_id } };
        } else yield piece;
      }
    } finally {
      release();
    }
  }

  /** Asks for no more passages and turns than the model is to be given. */
  private readable(asked: Readonly<ChatStreamBody>): Readonly<ChatStreamBody> {
    const most = this.config.chat?.contextTokens;
    return most === undefined || most >= asked.max_context_tokens
      ? asked
      : { ...asked, max_context_tokens: most };
  }

  private async add(
    turn: BegunTurn,
    conversation: ReadConversation,
    text: TurnText,
  ): Promise<void> {
    try {
      await this.conversations.addTurn(turn.caller, conversation, turn.receiptId, text);
    } catch (error) {
      this.logger.warn(
        { err: error, receipt_id: turn.receiptId },
        'conversation: storing a turn failed',
      );
      await this.turns.giveBack(turn);
      throw error;
    }
  }

  private async questionOf(
    caller: Caller,
    request: Readonly<ChatStreamBody>,
    conversation: ReadConversation,
    gone: AbortSignal,
  ): Promise<ChatQuestion> {
    const { conversation_id: conversationId, user_id: userId, document_ids } = conversation.state;
    const turns: TurnText[] = [];
    for (const stored of conversation.turns.slice(-MOST_TURNS)) {
      const text = await this.conversations.textOf(caller, conversation, stored);
      if (text) turns.push(text);
    }
    const last = turns.at(-1);
    const budget = Math.floor(request.max_context_tokens * HISTORY_SHARE);
    const { turns: history, tokens } = last
      ? fittingHistory(turns, budget, await tokenCounter())
      : { turns: [], tokens: 0 };
    return {
      request,
      mentions: request.package_mentions,
      history,
      historyTokens: tokens,
      conversation: {
        conversationId,
        userId,
        sealer: conversation.sealer,
        hasDocuments: document_ids.length > 0,
      },
      ...(last && {
        rewrite: () =>
          this.rewriter.rewrite(
            { question: request.query, before: last.standalone ?? last.question, history },
            gone,
          ),
      }),
    };
  }
}
