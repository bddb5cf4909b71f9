import { randomUUID } from 'node:crypto';

import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';

import { sleep } from '#platform';

import { filterOf, type ReadFilter } from './filter.js';
import type { Log, LogRecord } from './log.js';
import { readPage } from './page.js';
import { comparePlaces, eventPlace, NOWHERE, type Place, placeOf } from './place.js';
import { checkpoint, plainStatus, readEvent } from './wire.js';

/** Live messages that the server keeps for a subscriber that is slower than the appends. */
const LIVE_BUFFER = 32;

/**
 * The checkpoint of a filtered subscription at the end of its history. Servers up to 24.10.4 name
 * the later of the last event that passed and the last checkpoint, or the largest number if there
 * was neither. Servers from 24.10.5 name the start of the last page unless one of the former is
 * later.
 */
export type CheckpointMode = (typeof CHECKPOINT_MODES)[number];
export const CHECKPOINT_MODES = ['up-to-24.10.4', 'from-24.10.5'] as const;

export interface SubscriptionBehavior {
  readonly checkpoints: CheckpointMode;
  /**
   * Milliseconds between the last page of the history and the message of its end. Events that are
   * appended in between come live.
   */
  readonly endOfHistoryDelay: () => number;
}

export interface Subscriber {
  readonly send: (response: streams.ReadResp) => Promise<void>;
  /** Aborts when the call is over. */
  readonly ended: AbortSignal;
}

/**
 * A subscription to the whole log as the server runs it: confirmed, then the history page by page,
 * caught up, then live. It returns to the history when more is appended than the buffer holds. A
 * subscription that begins at the last event or after it has no history, and therefore no
 * checkpoint of it.
 * @throws the status of a place within the log at which no event begins.
 */
export class Subscription {
  private readonly filter: ReadFilter | null;
  /**
   * The last position that was sent, of an event or checkpoint. Later events follow; checkpoints
   * follow from here on.
   */
  private at: Place;
  private lastCheckpoint: Place | null = null;
  /**
   * The position from which events are live: they are checked at once and in order, and a fixed
   * number of them gives a checkpoint.
   */
  private readonly liveFrom: number;
  private live: number;
  private readonly lastAtStart: Place;

  constructor(
    private readonly log: Log,
    private readonly behavior: SubscriptionBehavior,
    options: streams.ReadReq.Options,
    private readonly subscriber: Subscriber,
  ) {
    this.filter = filterOf(options);
    this.liveFrom = this.live = log.all.length;
    const last = log.all.at(-1);
    this.lastAtStart = last ? eventPlace(last.position) : NOWHERE;
    const all = options.getAll();
    const position = all?.getPosition();
    const wanted = position ? placeOf(position) : all?.hasEnd() ? 'end' : NOWHERE;
    this.at = wanted === 'end' ? this.lastAtStart : wanted;
  }

  /** Runs until the call is over. */
  async run(): Promise<void> {
    const { ended, send } = this.subscriber;
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(
      randomUUID(),
    );
    await send(new streams.ReadResp().setConfirmation(confirmation));
    if (comparePlaces(this.at, this.lastAtStart) >= 0) await this.goLive();
    while (!ended.aborted) {
      await this.catchUp();
      await this.goLive();
    }
  }

  private async catchUp(): Promise<void> {
    const { ended } = this.subscriber;
    let start = this.at.commit < 0 ? { commit: 0, prepare: 0 } : this.at;
    if (!this.log.readsForwards(start.commit))
      throw plainStatus(status.INVALID_ARGUMENT, 'The position is no event');
    for (let considered = 0; !ended.aborted;) {
      const page = readPage(this.log, start, this.filter);
      for (const record of page.passed) await this.sendEvent(record);
      considered += page.considered;
      if (page.atEnd) {
        await sleep(this.behavior.endOfHistoryDelay(), ended);
        if (this.behavior.checkpoints === 'from-24.10.5') this.advance(page.start);
        await this.sendCheckpoint();
        return;
      }
      if (this.filter && considered >= this.filter.checkpointEvery) {
        considered %= this.filter.checkpointEvery;
        this.advance(page.start);
        await this.sendCheckpoint();
      }
      start = page.next;
    }
  }

  /**
   * Says caught-up and delivers what is appended. Resolves when the buffer has overflown, or the
   * call is over.
   */
  private async goLive(): Promise<void> {
    const { ended, send } = this.subscriber;
    await send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
    while (!ended.aborted) {
      await this.log.longerThan(this.live, ended);
      const arrived = this.log.all.slice(this.live);
      const messages = arrived.filter(
        (record, index) => this.passes(record) || this.givesCheckpoint(index),
      );
      if (messages.length > LIVE_BUFFER) {
        this.live += arrived.length;
        await this.sendCheckpoint();
        return;
      }
      for (const [index, record] of arrived.entries())
        await this.deliver(record, this.givesCheckpoint(index));
      this.live += arrived.length;
    }
  }

  private async deliver(record: LogRecord, givesCheckpoint: boolean): Promise<void> {
    if (this.passes(record)) await this.sendEvent(record);
    const place = eventPlace(record.position);
    if (!givesCheckpoint || comparePlaces(place, this.at) < 0) return;
    this.at = place;
    await this.sendCheckpoint();
  }

  private passes(record: LogRecord): boolean {
    return (
      comparePlaces(eventPlace(record.position), this.at) > 0 &&
      (this.filter?.matches(record) ?? true)
    );
  }

  /** Whether the record so many after the next live one is one that a checkpoint follows. */
  private givesCheckpoint(ahead: number): boolean {
    return (
      this.filter !== null &&
      (this.live + ahead + 1 - this.liveFrom) % this.filter.checkpointEvery === 0
    );
  }

  private advance(place: Place): void {
    if (comparePlaces(this.at, place) < 0) this.at = place;
  }

  private async sendEvent(record: LogRecord): Promise<void> {
    const place = eventPlace(record.position);
    // A page begins at the position that was sent last, and so may hold an event that is known
    // there.
    if (comparePlaces(place, this.at) <= 0) return;
    this.at = place;
    await this.subscriber.send(readEvent(record));
  }

  /**
   * Sends the position of the subscription, unless it was sent before. After the largest number
   * nothing is larger, on the server too.
   */
  private async sendCheckpoint(): Promise<void> {
    if (!this.filter) return;
    const { at, lastCheckpoint: last } = this;
    if (at.commit < 0 && this.behavior.checkpoints === 'from-24.10.5') return;
    if (last && (last.commit < 0 || comparePlaces(at, last) <= 0)) return;
    this.lastCheckpoint = at;
    await this.subscriber.send(checkpoint(at));
  }
}
