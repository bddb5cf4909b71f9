import { Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';

/** A turn waits so long for the one before it. */
const WAIT_MS = 30_000;
/** Turns that wait for one conversation. */
const MOST_WAITING = 8;

interface Line {
  /** Ends when the newest turn has. */
  readonly last: Promise<void>;
  readonly waiting: number;
}

/**
 * Lets the turns of a conversation begin one after the other in this process, each on what the one
 * before has said. Turns of other processes are held apart by the number that each has in the log.
 */
@Injectable()
export class TurnOrder {
  private readonly lines = new Map<string, Line>();

  /**
   * Waits until every earlier turn has ended.
   * @returns ends the turn; again is harmless.
   * @throws FootnoteError `concurrent_change` where that takes too long, or too many wait already.
   */
  async enter(conversationId: string, gone: AbortSignal, waitMs = WAIT_MS): Promise<() => void> {
    const line = this.lines.get(conversationId) ?? { last: Promise.resolve(), waiting: 0 };
    if (line.waiting >= MOST_WAITING) throw busy();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const last = line.last.then(() => ended);
    this.lines.set(conversationId, { last, waiting: line.waiting + 1 });
    void last.then(() => {
      if (this.lines.get(conversationId)?.last === last) this.lines.delete(conversationId);
    });
    try {
      await this.turnOf(line.last, gone, waitMs);
    } catch (error) {
      end();
      throw error;
    } finally {
      this.left(conversationId);
    }
    return end;
  }

  private left(conversationId: string): void {
    const line = this.lines.get(conversationId);
    if (line) this.lines.set(conversationId, { ...line, waiting: line.waiting - 1 });
  }

  private async turnOf(before: Promise<void>, gone: AbortSignal, waitMs: number): Promise<void> {
    gone.throwIfAborted();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(busy()), waitMs);
    const leave = (): void => late.reject(gone.reason);
    gone.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([before, late.promise]);
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', leave);
    }
  }
}

function busy(): FootnoteError {
  return new FootnoteError(
    'concurrent_change',
    'Another turn of this conversation is running; repeat the request',
    {
      retryAfter: 1,
    },
  );
}
