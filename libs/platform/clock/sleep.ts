import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits `milliseconds`, or until the signal aborts. @returns false when aborted. Never keeps the
 * process alive by itself when `unref`.
 */
export async function sleep(
  milliseconds: number,
  signal?: AbortSignal,
  options: { readonly unref?: boolean } = {},
): Promise<boolean> {
  try {
    await delay(milliseconds, undefined, { ref: !options.unref, ...(signal ? { signal } : {}) });
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}

/**
 * Rejects with `message` when `work` takes longer than `milliseconds`; the work itself is not
 * stopped.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  milliseconds: number,
  message: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(message)), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** A wait that ran out. The outcome of what was waited for is unknown. */
export class TimeoutError extends Error {
  readonly code = 'timeout';
  constructor(message: string) {
    super(message);
    this.name = 'TimeoutError';
  }
}

export function isTimeoutError(error: unknown): error is TimeoutError {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** Resolves when the signal aborts, at once where it has; never where it does not. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
