import { Inject, Injectable, type MessageEvent } from '@nestjs/common';

import { isFootnoteError } from '#contracts';
import type { ChatStreamBody } from '#contracts/http/index';
import { LOGGER, type Logger } from '#platform';

import type { Caller } from '../auth/caller.js';
import { LiveCredentials } from '../auth/live-credentials.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { StreamSlots } from '../streams/stream-slots.js';
import type { BegunTurn, ChatPiece } from './answer/chat-turns.js';
import { type ConversationTurn, ConversationTurns } from './conversation/conversation-turns.js';

/** A comment line this often keeps proxies from closing a stream whose model is thinking. */
const HEARTBEAT_MS = 15_000;
/** A stream whose key was revoked or has expired ends at the latest after this long. */
const KEY_CHECK_MS = 500;

/** A stream that was begun, with what its head tells. */
export interface OpenedChat extends Pick<BegunTurn, 'receiptId' | 'rateLimit'> {
  readonly messages: AsyncIterable<MessageEvent>;
}

/**
 * An answer as server-sent events: `token` for each piece, `done` with what it cites, or `error`
 * where it cannot be ended. A client that leaves ends the model's work; a key that ends, and a
 * process that does, end the stream.
 */
@Injectable()
export class ChatStream {
  constructor(
    private readonly turns: ConversationTurns,
    private readonly slots: StreamSlots,
    private readonly credentials: LiveCredentials,
    private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the evidence is found and charged. @throws FootnoteError as a search does, or
   * `rate_limited`.
   */
  async open(
    caller: Caller,
    request: Readonly<ChatStreamBody>,
    gone: AbortSignal,
  ): Promise<OpenedChat> {
    const release = this.slots.take(caller.tenantId);
    gone.addEventListener('abort', release, { once: true });
    try {
      if (gone.aborted) release();
      const begun = await this.turns.begin(caller, request, gone);
      const { receiptId, rateLimit } = begun.turn;
      return { messages: this.messages(begun, gone, release), receiptId, rateLimit };
    } catch (error) {
      release();
      throw error;
    }
  }

  private async *messages(
    begun: ConversationTurn,
    gone: AbortSignal,
    release: () => void,
  ): AsyncGenerator<MessageEvent> {
    const { turn } = begun;
    const stop = new AbortController();
    const pieces = this.turns.answer(
      begun,
      AbortSignal.any([gone, this.lifecycle.draining, stop.signal]),
    );
    const watch = setInterval(() => {
      if (this.endOf(turn) !== undefined) stop.abort();
    }, KEY_CHECK_MS);
    try {
      let next = pieces.next();
      for (;;) {
        const piece = await withinHeartbeat(next);
        if (piece === 'waiting') yield { comment: 'keep-alive' };
        else if (piece.done) return;
        else {
          yield message(piece.value);
          next = pieces.next();
        }
      }
    } catch (error) {
      const ended = this.endOf(turn);
      if (!ended && !gone.aborted)
        this.logger.warn({ err: error, receipt_id: turn.receiptId }, 'A chat stream failed');
      const code = isFootnoteError(error) ? error.code : 'internal_error';
      yield (
        ended ??
        failure(code, isFootnoteError(error) ? error.message : 'The answer could not be ended')
      );
    } finally {
      clearInterval(watch);
      stop.abort();
      release();
      // Where it waits for the model it ends with the signal; nobody waits for that here.
      void pieces.return(undefined).catch(() => undefined);
    }
  }

  /** Why the stream may not go on, where that is so. */
  private endOf({ caller }: BegunTurn): MessageEvent | undefined {
    if (this.lifecycle.draining.aborted) {
      return failure('shutting_down', 'The process is shutting down; ask again');
    }
    const { principal } = caller;
    if (!principal) return undefined;
    if (!this.credentials.isKnown(principal)) {
      return failure('engine_unavailable', 'The service is cut off from its event log; ask again');
    }
    if (this.credentials.isLive(principal)) return undefined;
    return failure('unauthorized', 'The credentials of this stream were revoked or have expired');
  }
}

async function withinHeartbeat<T>(next: Promise<T>): Promise<T | 'waiting'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'waiting'>((resolve) => {
    timer = setTimeout(() => resolve('waiting'), HEARTBEAT_MS);
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
}

function message(piece: ChatPiece): MessageEvent {
  if (piece.type === 'token') return { type: 'token', data: { token: piece.token } };
  return { type: 'done', data: piece.summary };
}

function failure(code: string, error: string): MessageEvent {
  return { type: 'error', data: { error, code } };
}
