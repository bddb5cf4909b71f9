import { Inject, Injectable, type MessageEvent } from '@nestjs/common';

import type { Position } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { EventStreamResponse } from '../streams/event-stream-response.js';
import { Signal } from '../streams/signal.js';
import { FeedActivity } from './feed-activity.js';
import { type FeedEvent, FeedPages } from './feed-pages.js';

/** Interval between reads of a feed without reported activity: a signal may be lost. */
const POLL_EVERY_MS = 15_000;
/** The same while the trail is behind the log. */
const POLL_LATE_MS = 250;
/** A stream ends after this time; the client resumes by its last id. */
const MAX_LIFE_MS = 60 * 60_000;
/** Events of a stream in memory. */
const PAGE = 50;

export interface FeedStreamRequest {
  /** Events past this seq; undefined from the first event on. */
  readonly after: number | undefined;
  readonly types: readonly string[] | undefined;
}

/**
 * The feed of a tenant as server-sent events: first history, then each new event. The id of each is
 * its seq, so that `Last-Event-ID` resumes without loss or repeat. A stream ends with the key or
 * session that opened it.
 */
@Injectable()
export class FeedStream {
  constructor(
    private readonly pages: FeedPages,
    private readonly activity: FeedActivity,
    private readonly response: EventStreamResponse,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Opens the caller's feed. @throws FootnoteError `rate_limited`. */
  open(
    caller: Caller,
    request: FeedStreamRequest,
    clientAborted: AbortSignal,
  ): AsyncIterable<MessageEvent> {
    return this.response.frames({
      caller,
      clientAborted,
      release: this.response.reserve(caller, clientAborted),
      messages: (signal) => this.messages(caller.tenantId, request, signal),
      resumable: true,
      logFields: { feed_of: caller.tenantId },
    });
  }

  private async *messages(
    tenantId: string,
    { after, types }: FeedStreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<MessageEvent, void> {
    const activity = new Signal(signal);
    let wanted: Position | null = null;
    const unsubscribe = this.activity.onActivity(tenantId, (position, event) => {
      if (event && types && !types.includes(event.type)) return;
      wanted = position;
      activity.ring();
    });
    const until = this.clock.monotonic() + MAX_LIFE_MS;
    try {
      yield { comment: 'open' };
      let position = await this.store.head();
      let last = after;
      while (this.clock.monotonic() < until) {
        const isLate = !(await this.pages.reached(position));
        signal.throwIfAborted();
        const { events, hasMore } = await this.pages.read(tenantId, {
          after: last,
          limit: PAGE,
          types,
        });
        for (const event of events) yield message(event);
        last = events.at(-1)?.seq ?? last;
        if (hasMore) continue;
        await activity.wait(isLate ? POLL_LATE_MS : POLL_EVERY_MS);
        signal.throwIfAborted();
        position = wanted ?? position;
      }
    } finally {
      unsubscribe();
    }
  }
}

/** Returns a message without a type: `onmessage` of an `EventSource` gets every event. */
function message({ seq, event }: FeedEvent): MessageEvent {
  return { id: String(seq), data: event };
}
