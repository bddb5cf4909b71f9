import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
  START,
} from '@eventstore/db-client';

import type { Position, RecordedEvent, StreamName } from '#contracts';
import { sleep } from '#platform';

import { LogDamagedError } from '../errors/log-errors.js';
import type { ReadOptions } from '../event-store.port.js';
import { asUnavailable, faultKind, isLost } from './client-faults.js';
import { decodeEvent, isSystem, positionOf } from './event-codec.js';
import { formatPosition } from './position.js';
import { pull } from './pull.js';

const ATTEMPTS = 3;
const PAUSE_MS = 50;
/** Number of events that are read together to find the last event of this service. */
const HEAD_PAGE = 64;

/**
 * Reads of streams and of the end of the log, on the leader, because a replica may lag behind
 * acknowledged events. If the connection is lost before the first event, the read is retried.
 */
export class LogReader {
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Returns the events of a stream; none if it is missing or deleted.
   * @throws FootnoteError `engine_unavailable`; LogDamagedError for an event that this service did
   * not write.
   */
  async *stream(
    name: StreamName,
    options: ReadOptions = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    if (options.limit !== undefined && options.limit <= 0) return;
    const { backwards } = options;
    const open = () =>
      this.client.readStream(name, {
        direction: backwards ? BACKWARDS : FORWARDS,
        fromRevision: options.from ?? (backwards ? END : START),
        requiresLeader: true,
        ...(options.limit === undefined ? {} : { maxCount: options.limit }),
      });
    try {
      for await (const resolved of this.read<ResolvedEvent>(open)) {
        const event = decodeEvent(resolved);
        if (!event)
          throw new LogDamagedError(`${name} contains an event that this service did not write`);
        yield event;
      }
    } catch (error) {
      const kind = faultKind(error);
      if (kind !== 'stream-not-found' && kind !== 'stream-deleted') throw asUnavailable(error);
    }
  }

  /**
   * Returns the position of the newest event that is not the database's own.
   * @throws FootnoteError `engine_unavailable`.
   */
  async head(): Promise<Position | null> {
    let from: Position | null = null;
    for (;;) {
      const page = await this.before(from, HEAD_PAGE);
      const own = page.find(({ event }) => event && !isSystem(event));
      if (own) return formatPosition(positionOf(own));
      const last = page.at(-1);
      if (!last || page.length < HEAD_PAGE) return null;
      from = formatPosition(positionOf(last));
    }
  }

  /**
   * Returns the end of the log and, if it is among the last few events, the newest one that is not
   * the database's own. One request.
   * @throws FootnoteError `engine_unavailable`.
   */
  async tail(): Promise<{ readonly newest: Position | null; readonly end: Position | null }> {
    const page = await this.before(null, HEAD_PAGE);
    const own = page.find(({ event }) => event && !isSystem(event));
    const [last] = page;
    return { newest: placeOf(own), end: placeOf(last) };
  }

  /**
   * Returns the position of the newest event of any kind; null for an empty log.
   * @throws FootnoteError `engine_unavailable`.
   */
  async end(): Promise<Position | null> {
    const [last] = await this.before(null, 1);
    return placeOf(last);
  }

  /** Returns the newest events before a position, or of the whole log, newest first. */
  private async before(
    position: Position | null,
    maxCount: number,
  ): Promise<AllStreamResolvedEvent[]> {
    const commit = position === null ? null : BigInt(position);
    const fromPosition = commit === null ? END : { commit, prepare: commit };
    const page: AllStreamResolvedEvent[] = [];
    try {
      const open = () =>
        this.client.readAll({ direction: BACKWARDS, fromPosition, maxCount, requiresLeader: true });
      for await (const resolved of this.read<AllStreamResolvedEvent>(open)) page.push(resolved);
    } catch (error) {
      throw asUnavailable(error);
    }
    return page;
  }

  private async *read<Item>(
    open: () =>
      ReturnType<EventStoreDBClient['readAll']> | ReturnType<EventStoreDBClient['readStream']>,
  ): AsyncGenerator<Item, void, undefined> {
    for (let attempt = 1; ; attempt += 1) {
      let begun = false;
      try {
        const stream = open();
        const { timeoutMs } = this;
        for await (const item of pull<Item>(stream, {
          timeoutMs: () => timeoutMs,
          cancel: () => stream.cancel(),
        })) {
          begun = true;
          yield item;
        }
        return;
      } catch (error) {
        if (begun || attempt === ATTEMPTS || !isLost(error)) throw error;
        await sleep(PAUSE_MS * attempt);
      }
    }
  }
}

function placeOf(resolved: AllStreamResolvedEvent | undefined): Position | null {
  return resolved ? formatPosition(positionOf(resolved)) : null;
}
