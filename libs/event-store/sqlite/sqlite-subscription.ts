import type { RecordedEvent } from '#contracts';

import { PositionAheadError } from '../errors/position-ahead.error.js';
import type { SubscribeOptions, SubscriptionDelivery } from '../event-store.port.js';
import type { HeadSignal } from './head-signal.js';
import type { LogRow, ScanPage, ScanRequest } from './log-protocol.js';
import { formatPosition, parsePosition } from './position.js';
import type { RecentEvents } from './recent-events.js';

/** Rows asked for at once: a subscription holds no more than this, however slow its reader. */
const PAGE = 500;
/** A checkpoint comes at the latest after this many events that the filter left out. */
const CHECKPOINT_EVERY = 1_000;

export interface SubscriptionSource {
  /** The log's folder. */
  readonly directory: string;
  readonly head: HeadSignal;
  readonly recent: RecentEvents;
  scan(request: ScanRequest): Promise<ScanPage>;
  decode(row: LogRow): RecordedEvent;
}

/**
 * Reads page after page and waits at the head for the next commit. It pulls only what its reader takes, so a slow reader
 * delays nobody; order and absence of gaps come from reading the log itself, also when live.
 */
export async function* subscribeToLog(
  source: SubscriptionSource,
  options: SubscribeOptions,
): AsyncGenerator<SubscriptionDelivery, void, undefined> {
  const { signal, filter } = options;
  let considered = parsePosition(options.after);
  if (considered > source.head.current) {
    const { current } = source.head;
    const end = current === 0 ? null : formatPosition(current);
    throw new PositionAheadError(formatPosition(considered), end, source.directory);
  }
  let told = considered;
  let live = false;
  while (!signal.aborted) {
    const { current } = source.head;
    if (live && filter && current > considered && source.recent.hasNothingFor(filter, considered, current)) {
      considered = told = current;
      yield checkpoint(considered);
      await source.head.passes(considered, signal);
      continue;
    }
    const page = await source.scan({
      kind: 'scan',
      after: considered,
      types: filter?.types ?? null,
      categories: filter?.categories ?? null,
      limit: PAGE,
    });
    for (const row of page.rows) {
      if (row.position - told > CHECKPOINT_EVERY) yield checkpoint(row.position - 1);
      if (signal.aborted) return;
      yield { kind: 'event', event: source.decode(row) };
      told = row.position;
      if (signal.aborted) return;
    }
    considered = page.considered;
    const due = page.atHead ? considered > told : considered - told >= CHECKPOINT_EVERY;
    if (due) {
      yield checkpoint(considered);
      told = considered;
    }
    if (page.atHead && !live) {
      live = true;
      yield { kind: 'caught-up' };
    }
    if (page.atHead) await source.head.passes(considered, signal);
  }
}

function checkpoint(place: number): SubscriptionDelivery {
  return { kind: 'checkpoint', position: formatPosition(place) };
}
