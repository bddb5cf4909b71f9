import type { Position } from '#contracts';

import type { ProjectionName } from '../tables/tables.js';

interface Waiter {
  readonly position: Position;
  readonly wake: (reached: boolean) => void;
}

/**
 * The progress of this process's projections, so that a caller that waits for its own write is
 * woken instead of polling. In a process without a projector nothing is ever reported, and
 * `isLocal` is false.
 */
export class ProjectionProgress {
  private readonly reached = new Map<ProjectionName, Position>();
  private readonly waiters = new Map<ProjectionName, Set<Waiter>>();
  private readonly listeners = new Map<ProjectionName, Set<() => void>>();
  /** Listeners for waiting callers, by projection. */
  private readonly wanted = new Map<ProjectionName, () => void>();

  /** True while a projector of this process reports. */
  isLocal = false;

  /** Records that a projection committed everything up to a position. */
  report(name: ProjectionName, position: Position): void {
    this.reached.set(name, position);
    for (const waiter of this.waiters.get(name) ?? [])
      if (waiter.position <= position) waiter.wake(true);
    for (const listener of this.listeners.get(name) ?? []) listener();
  }

  /**
   * Calls back whenever the projection committed something in this process.
   * @returns a function that stops the calls.
   */
  onReport(name: ProjectionName, listener: () => void): () => void {
    const listening = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listening.add(listener));
    return () => void listening.delete(listener);
  }

  has(name: ProjectionName, position: Position): boolean {
    const reached = this.reached.get(name);
    return reached !== undefined && reached >= position;
  }

  /** Resolves true once the projection has reached the position, false after `timeoutMs`. */
  wait(name: ProjectionName, position: Position, timeoutMs: number): Promise<boolean> {
    if (this.has(name, position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiting = this.waiters.get(name) ?? new Set();
      this.waiters.set(name, waiting);
      const wake = (reached: boolean) => {
        clearTimeout(timer);
        waiting.delete(waiter);
        resolve(reached);
      };
      const waiter = { position, wake };
      const timer = setTimeout(() => wake(false), timeoutMs);
      waiting.add(waiter);
      this.wanted.get(name)?.();
    });
  }

  /**
   * Waits for the projector of a projection, which can then take more events at once. Resolves
   * after `milliseconds`, or earlier if a caller waits for the projection, or on abort.
   */
  async untilWanted(
    name: ProjectionName,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted || (this.waiters.get(name)?.size ?? 0) > 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.wanted.delete(name);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end, { once: true });
      this.wanted.set(name, end);
    });
  }
}
