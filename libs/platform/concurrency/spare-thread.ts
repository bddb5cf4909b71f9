import type { ThreadClient } from './thread-client.js';

export interface SpareThreadOptions<Request> {
  /** Starts a thread; it must not keep the process alive while it is idle (`unref`). */
  readonly start: () => ThreadClient<Request>;
  /** Milliseconds that the spare thread stays without work before it ends. Default 5,000. */
  readonly idleMs?: number;
}

/**
 * Keeps at most one idle thread for the next user, who then waits for no start and runs compiled
 * code. Its memory is free again after the idle time.
 */
export class SpareThread<Request> {
  private spare: ThreadClient<Request> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SpareThreadOptions<Request>) {}

  /** Returns the spare thread, which is the caller's alone until `giveBack`, or starts one. */
  take(): ThreadClient<Request> {
    clearTimeout(this.timer);
    const { spare } = this;
    this.spare = undefined;
    return spare && !spare.isOver ? spare : this.options.start();
  }

  /** Keeps the thread as the spare one, or ends it if it has work or there is a spare one. */
  giveBack(thread: ThreadClient<Request>): void {
    if (thread.isOver) return;
    if (thread.load > 0 || (this.spare && !this.spare.isOver)) return end(thread);
    this.spare = thread;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.spare = undefined;
      end(thread);
    }, this.options.idleMs ?? 5_000);
    this.timer.unref();
  }
}

/** Ends a thread. Its memory is freed later; nobody has to wait for that. */
function end(thread: { close(): Promise<void> }): void {
  thread.close().catch(() => undefined);
}
