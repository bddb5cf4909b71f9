/** Options of {@link sleep}. */
export interface SleepOptions {
  /** True: does not keep the process alive. Default false. */
  readonly unref?: boolean;
  /** Receives a function that ends the wait as its time does. */
  readonly onWait?: (wake: () => void) => void;
}

/**
 * Waits `milliseconds`, or until the signal aborts.
 * @returns false if aborted.
 */
export async function sleep(
  milliseconds: number,
  signal?: AbortSignal,
  options: SleepOptions = {},
): Promise<boolean> {
  if (signal?.aborted) return false;
  return new Promise((resolve) => {
    const end = (slept: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(slept);
    };
    const abort = (): void => end(false);
    const wake = (): void => end(true);
    const timer = setTimeout(wake, milliseconds);
    if (options.unref) timer.unref();
    signal?.addEventListener('abort', abort, { once: true });
    options.onWait?.(wake);
  });
}

/** Rejects with `message` if `work` takes longer than `milliseconds`; the work itself continues. */
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

/** A wait timed out. The outcome of the work is unknown. */
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

/** Resolves when the signal aborts, or at once if it already has. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
