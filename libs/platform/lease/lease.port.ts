/**
 * Lets one process at a time do work that must not run twice, such as following the log for a
 * projection.
 *
 * A lease prevents conflicting work; it is not a fence. A process that was stopped, or
 * disconnected, may continue for a moment after another one took over. Its late writes are rejected
 * by the compare-and-set of checkpoints and the expected revision of appends. Work under a lease
 * must write through those.
 */
export interface LeaseHolder {
  /** True if this process is the whole service, so that no other can request a lease. */
  readonly soleProcess: boolean;

  /**
   * Waits until this process holds the lease `name`, then runs `work`. The signal of `work` aborts
   * when the lease is lost or `options.signal` aborts. After a loss it waits for the lease again,
   * and runs `work` again, never before its last run has settled. Resolves when `work` resolves
   * while it holds the lease, or once `options.signal` aborted and `work` has settled.
   * @throws the error of `work` before its signal aborts; a later error counts as its end.
   */
  hold(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    options: { readonly signal: AbortSignal },
  ): Promise<void>;
}
