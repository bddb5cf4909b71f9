import { Inject, Injectable, type MessageEvent } from '@nestjs/common';

import type { Position, TrailExportEnd } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { TrailExports } from '../recorded-reads/trail-exports.js';
import { EventStreamResponse } from '../streams/event-stream-response.js';
import { Signal } from '../streams/signal.js';
import { MAX_LIFE_MS, POLL_EVERY_MS } from '../streams/stream-limits.js';
import { FeedActivity } from './feed-activity.js';
import { type FeedEvent, FeedPages } from './feed-pages.js';

/** Interval between reads of a feed while the trail is behind the log. */
const POLL_LATE_MS = 250;
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
    private readonly exports: TrailExports,
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
      messages: (signal) => this.messages(caller, request, signal, clientAborted),
      resumable: true,
      logFields: { feed_of: caller.tenantId },
    });
  }

  /** Records the start of the stream before its first event, and its end. */
  private async *messages(
    caller: Caller,
    request: FeedStreamRequest,
    signal: AbortSignal,
    clientAborted: AbortSignal,
  ): AsyncGenerator<MessageEvent, void> {
    yield { comment: 'open' };
    const { after, types } = request;
    const running = await this.exports.start(caller, 'feed', { after, types });
    let sent = 0;
    let end: TrailExportEnd = 'failed';
    try {
      for await (const event of this.events(caller.tenantId, request, signal)) {
        yield message(event);
        sent += 1;
      }
      end = 'completed';
    } finally {
      await running.end(sent, clientAborted.aborted ? 'client_aborted' : end);
    }
  }

  private async *events(
    tenantId: string,
    { after, types }: FeedStreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<FeedEvent, void> {
    const activity = new Signal(signal);
    let wanted: Position | null = null;
    const unsubscribe = this.activity.onActivity(tenantId, (position, event) => {
      if (event && types && !types.includes(event.type)) return;
      wanted = position;
      activity.ring();
    });
    const until = this.clock.monotonic() + MAX_LIFE_MS;
    try {
      let position = await this.store.head();
      let last = after;
      while (this.clock.monotonic() < until) {
        const isLate = !(await this.pages.reached(position));
        signal.throwIfAborted();
        const page = { after: last, limit: PAGE, types };
        const { events, hasMore } = await this.pages.read(tenantId, page);
        yield* events;
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
