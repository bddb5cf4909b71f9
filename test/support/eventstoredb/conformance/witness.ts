import { randomUUID } from 'node:crypto';

import {
  type AppendExpectedRevision,
  type EventData,
  EventStoreDBClient,
  eventTypeFilter,
  type Filter,
  jsonEvent,
  type ReadPosition,
  WrongExpectedVersionError,
} from '@eventstore/db-client';

import { sleep } from '#platform';

/**
 * The window and the interval of every filter that is asked with here: pages of 500, a checkpoint
 * each 1,000.
 */
export const PAGING = { maxSearchWindow: 500, checkpointInterval: 2 } as const;

const NOWHERE = 2n ** 64n - 1n;
const QUIET_MS = 250;
const PATIENCE_MS = 15_000;

interface ReadEvent {
  readonly event?: { readonly type: string; readonly revision: bigint };
}

type FilterOf = (onCheckpoint: NonNullable<Filter['checkpointReached']>) => Filter;

export interface Follow {
  readonly from: ReadPosition;
  readonly filter?: FilterOf;
  /** Done once the subscription is caught up and quiet; what comes of it follows `--`. */
  readonly then?: () => Promise<unknown>;
}

/**
 * Asks a server by the official client and writes down in words what it says, with names in place
 * of positions.
 */
export class Witness {
  readonly client: EventStoreDBClient;
  private readonly names = new Map<bigint, string>([[NOWHERE, 'nowhere']]);
  private readonly positions = new Map<string, bigint>();

  constructor(url: string) {
    this.client = EventStoreDBClient.connectionString(url);
  }

  /**
   * Appends and returns the revision or the rejection. From then on `name` refers to the position
   * of the last event.
   */
  async append(
    stream: string,
    events: EventData | EventData[],
    expectedRevision: AppendExpectedRevision = 'any',
    name?: string,
  ): Promise<string> {
    try {
      const { nextExpectedRevision, position } = await this.client.appendToStream(stream, events, {
        expectedRevision,
      });
      if (!position || position.commit !== position.prepare)
        return `revision ${nextExpectedRevision} without a position`;
      if (name !== undefined) this.name(position.commit, name);
      return `revision ${nextExpectedRevision}`;
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** Returns `done` for an operation without a result of interest, or the rejection. */
  async does(operation: () => Promise<unknown>): Promise<string> {
    return operation().then(() => 'done', refusalOf);
  }

  /** The events that a read gives, as type and revision, or the refusal in their place. */
  async reads(open: () => AsyncIterable<ReadEvent>): Promise<string[]> {
    const seen: string[] = [];
    try {
      for await (const { event } of open()) seen.push(`${event?.type} ${event?.revision}`);
    } catch (error) {
      seen.push(refusalOf(error));
    }
    return seen;
  }

  /** The named position, moved by some bytes. */
  at(name: string, bytes = 0n): { commit: bigint; prepare: bigint } {
    const commit = this.positions.get(name);
    if (commit === undefined) throw new Error(`No position is named ${name}`);
    return { commit: commit + bytes, prepare: commit + bytes };
  }

  /**
   * Returns every message of a subscription to the whole log, in order, without the database's own
   * events.
   */
  async follows({ from, filter, then }: Follow): Promise<string[]> {
    const seen: (string | readonly [what: string, position: bigint])[] = [];
    const subscription = this.client.subscribeToAll({
      fromPosition: from,
      requiresLeader: true,
      ...(filter && {
        filter: filter(async (_, { commit }) => void seen.push(['checkpoint', commit])),
      }),
    });
    subscription.on('confirmation', () => seen.push('confirmed'));
    subscription.on('caughtUp', () => seen.push('caught-up'));
    let failed = false;
    subscription.on('error', (error) => {
      failed = true;
      seen.push(refusalOf(error));
    });
    subscription.on('data', ({ event }) => {
      if (event && !event.type.startsWith('$'))
        seen.push([event.type, event.position?.commit ?? NOWHERE]);
    });
    const over = () => failed || seen.includes('caught-up');
    await quiet(seen, over);
    if (then) {
      seen.push('--');
      await then();
      await quiet(seen, over);
    }
    await subscription.unsubscribe().catch(() => undefined);
    return seen.map((item) =>
      typeof item === 'string' ? item : `${item[0]} ${this.names.get(item[1]) ?? 'elsewhere'}`,
    );
  }

  private name(position: bigint, name: string): void {
    this.names.set(position, name);
    this.positions.set(name, position);
  }
}

export function event(type = 'Plain', data: object = { n: 1 }): EventData {
  return jsonEvent({ id: randomUUID(), type, data: { ...data } });
}

export function events(count: number, type?: string): EventData[] {
  return Array.from({ length: count }, () => event(type));
}

/** A name that nothing else has: for a stream, or with a short prefix for a type. */
export function fresh(prefix = 'stream-'): string {
  return `${prefix}${randomUUID()}`;
}

export function onlyType(type: string): FilterOf {
  return (checkpointReached) =>
    eventTypeFilter({ ...PAGING, regex: `^${type}$`, checkpointReached });
}

/** Resolves when no new message has arrived for a while after `over`, or the time limit ends. */
async function quiet(seen: readonly unknown[], over: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let before = -1; performance.now() < deadline && (before !== seen.length || !over());) {
    before = seen.length;
    await sleep(QUIET_MS);
  }
}

function refusalOf(error: unknown): string {
  if (error instanceof WrongExpectedVersionError) {
    return `${error.type} ${error.expectedVersion}, is ${error.actualVersion}`;
  }
  return error instanceof Error && 'type' in error ? String(error.type) : String(error);
}
