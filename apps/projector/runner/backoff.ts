const FIRST_MS = 50;
const LONGEST_MS = 10_000;

/** Milliseconds before attempt `attempt + 1`: doubling from 50 ms to 10 s, with a quarter of jitter. */
export function retryDelay(attempt: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 16));
  return full * (0.75 + Math.random() * 0.25);
}
