import type { Engines } from '#engines';
import { aborted } from '#platform';

import type { ProjectionHealth } from '../runner/projector-context.js';
import { createFeedRelay, type FeedRelay } from './feed-relay.js';

/** The feed of one process. */
export interface KeptFeed {
  /**
   * Empty where another process relays, or nothing is configured to relay to. With an error while
   * it cannot be written.
   */
  health(): readonly ProjectionHealth[];
  stop(): Promise<void>;
}

/**
 * Relays the log to the feed for as long as this process holds the feed's lease; does nothing
 * without a feed.
 */
export function keepFeed(engines: Engines<'eventStore' | 'feed'>): KeptFeed {
  const { feed, leases } = engines;
  const stopping = new AbortController();
  let relay: FeedRelay | undefined;
  const relayUntil = async (signal: AbortSignal): Promise<void> => {
    if (!feed) return;
    relay = createFeedRelay({ ...engines, feed });
    relay.start();
    await aborted(signal);
    await relay.stop();
    relay = undefined;
  };
  const held = feed
    ? leases.hold('feed', relayUntil, { signal: stopping.signal })
    : Promise.resolve();
  return {
    health: () => (relay ? [relay.health()] : []),
    stop: async () => {
      stopping.abort();
      await held;
    },
  };
}
