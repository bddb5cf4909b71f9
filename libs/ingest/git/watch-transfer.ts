import type { GitCache } from './git-cache.js';
import type { TransferFloor } from './transfer-floor.js';

const WATCH_MS = 1_000;

export interface TransferWatchOptions {
  /** Most bytes that the repository may take on disk. */
  readonly limit: number;
  /** Tells what is too slow. Without it, nothing is. */
  readonly floor: TransferFloor | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Tells why a transfer was ended; to be stopped when it is over. */
export interface TransferWatch {
  /** Aborted with the given signal too. */
  readonly signal: AbortSignal;
  exceeded(): boolean;
  tooSlow(): boolean;
  stop(): void;
}

/** Aborts a fetch that fills the disk beyond its limit, or does so too slowly. */
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
