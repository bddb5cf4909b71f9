import { setImmediate as turn } from 'node:timers/promises';

import type { RecordedEvent } from '#contracts';

import { PositionAheadError } from '../errors/log-errors.js';
import type { SubscribeOptions, SubscriptionDelivery } from '../event-store.port.js';
import type { HeadSignal } from './head-signal.js';
import type { ScanPage, ScanRequest } from './log-protocol.js';
import { type LogTail, passes, type TailPage } from './log-tail.js';
import { formatPosition, parsePosition } from './position.js';
import { decodeRow } from './row-codec.js';

/** Events read at once: the memory limit of a subscription, however slow its reader. */
const PAGE = 500;
/** A checkpoint comes at the latest after this many filtered events. */
const CHECKPOINT_EVERY = 1_000;

export interface SubscriptionSource {
  /** The log's folder. */
  readonly directory: string;
  readonly head: HeadSignal;
  /** The newest events, shared by all subscriptions. */
  readonly tail: LogTail;
  /** Reads from the log itself. */
  scan(request: ScanRequest): Promise<ScanPage>;
}

interface Page extends Omit<TailPage, 'events'> {
  readonly events: readonly { readonly position: number; readonly event: RecordedEvent }[];
}

/**
 * Reads page after page and waits at the head for the next commit. A page comes from the shared
 * tail if it reaches back far enough, otherwise from the log. It pulls only what its reader takes,
 * so a slow reader delays nobody. Pages of tail and log have no gaps, and each begins where the
 * previous one ended.
 */
export async function* subscribeToLog(
  source: SubscriptionSource,
  options: SubscribeOptions,
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  const { signal, filter } = options;
  const { head, tail } = source;
  let considered = parsePosition(options.after);
  if (considered > head.current) {
    const { current } = head;
    const end = current === 0 ? null : formatPosition(current);
    throw new PositionAheadError(formatPosition(considered), end, source.directory);
  }
  const wanted = passes(filter);
  let reported = considered;
  let live = false;
  while (!signal.aborted) {
    const page: Page =
      tail.page(considered, wanted, PAGE) ?? (await scanned(source, considered, filter));
    for (const entry of page.events) {
      if (entry.position - reported > CHECKPOINT_EVERY) yield checkpoint(entry.position - 1);
      if (signal.aborted) return;
      yield { kind: 'event', event: entry.event };
      reported = entry.position;
      if (signal.aborted) return;
    }
    considered = page.considered;
    const due = page.atHead ? considered > reported : considered - reported >= CHECKPOINT_EVERY;
    if (due) {
      yield checkpoint(considered);
      reported = considered;
    }
    if (page.atHead && !live) {
      live = true;
      yield { kind: 'caught-up' };
    }
    // Pages of the tail are available at once. Without a pause, many of them would block the
    // process.
    if (page.atHead) await head.passes(considered, signal);
    else await turn();
  }
}

async function scanned(
  source: SubscriptionSource,
  after: number,
  filter: SubscribeOptions['filter'],
): Promise<Page> {
  const { rows, considered, atHead } = await source.scan({
    kind: 'scan',
    after,
    types: filter?.types ?? null,
    categories: filter?.categories ?? null,
    limit: PAGE,
  });
  const events = rows.map((row) => ({
    position: row.position,
    get event(): RecordedEvent {
      return decodeRow(row);
    },
  }));
  return { events, considered, atHead };
}

function checkpoint(place: number): SubscriptionDelivery {
  return { kind: 'checkpoint', position: formatPosition(place) };
}
