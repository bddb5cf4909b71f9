import type { GitCache } from './git-cache.js';
import type { TransferFloor } from './transfer-floor.js';

const WATCH_MS = 1_000;

export interface TransferWatchOptions {
  /** Maximum bytes that the repository may take on disk. */
  readonly limit: number;
  /** Detector of slow transfers. Without it, no transfer is too slow. */
  readonly floor: TransferFloor | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Watch over one transfer, which reports why the transfer was aborted. Stop it when the transfer
 * ends.
 */
export interface TransferWatch {
  /** Signal that also aborts with the given signal. */
  readonly signal: AbortSignal;
  exceeded(): boolean;
  tooSlow(): boolean;
  stop(): void;
}

/** Watches a fetch, and aborts it when it exceeds its disk limit or is too slow. */
export function watchTransfer(
  cache: Pick<GitCache, 'size'>,
  { limit, floor, signal: given }: TransferWatchOptions,
): TransferWatch {
  const controller = new AbortController();
  let measuring = false;
  let exceeded = false;
  let tooSlow = false;
  const timer = setInterval(() => {
    if (measuring) return;
    measuring = true;
    void cache.size().then((size) => {
      measuring = false;
      exceeded = size > limit;
      tooSlow = floor?.isTooSlow(performance.now(), size) ?? false;
      if (!exceeded && !tooSlow) return;
      controller.abort();
    });
  }, WATCH_MS);
  const signal =
    given === undefined ? controller.signal : AbortSignal.any([controller.signal, given]);
  return {
    signal,
    exceeded: () => exceeded,
    tooSlow: () => tooSlow,
    stop: () => clearInterval(timer),
  };
}
