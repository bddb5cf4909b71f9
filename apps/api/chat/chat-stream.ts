import { Injectable, type MessageEvent } from '@nestjs/common';

import type { ChatStreamBody } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { EventStreamResponse } from '../streams/event-stream-response.js';
import type { BegunTurn, ChatPiece } from './answer/chat-turns.js';
import { type ConversationTurn, ConversationTurns } from './conversation/conversation-turns.js';

/** A begun stream with the values of its response headers. */
export interface OpenedChat extends Pick<BegunTurn, 'receiptId' | 'rateLimit'> {
  readonly messages: AsyncIterable<MessageEvent>;
}

/**
 * An answer as server-sent events: `token` for each piece, `done` with its citations, or `error`
 * if it fails. The end of the stream also ends the work of the model.
 */
@Injectable()
export class ChatStream {
  constructor(
    private readonly turns: ConversationTurns,
    private readonly response: EventStreamResponse,
  ) {}

  /**
   * Resolves when the evidence is found and charged. @throws FootnoteError as a search does, or
   * `rate_limited`.
   */
  async open(
    caller: Caller,
    request: Readonly<ChatStreamBody>,
    clientAborted: AbortSignal,
  ): Promise<OpenedChat> {
    const release = this.response.reserve(caller, clientAborted);
    try {
      const begun = await this.turns.begin(caller, request, clientAborted);
      const { receiptId, rateLimit } = begun.turn;
      const messages = this.response.frames({
        caller: begun.turn.caller,
        clientAborted,
        release,
        messages: (signal) => this.messages(begun, signal),
        resumable: false,
        logFields: { receipt_id: receiptId },
      });
      return { messages, receiptId, rateLimit };
    } catch (error) {
      release();
      throw error;
    }
  }

  private async *messages(
    begun: ConversationTurn,
    signal: AbortSignal,
  ): AsyncGenerator<MessageEvent, void> {
    for await (const piece of this.turns.answer(begun, signal)) yield message(piece);
  }
}

function message(piece: ChatPiece): MessageEvent {
  if (piece.type === 'token') return { type: 'token', data: { token: piece.token } };
  return { type: 'done', data: piece.summary };
}
