/**
 * Lets one process at a time do a piece of work that must have one doer, such as following the log
 * for a projection.
 *
 * A lease keeps processes from working against each other; it is not a fence. A process that was
 * stopped, or cut off, may go on for a moment after another one took over. What keeps its late
 * writes out are the compare-and-set of checkpoints and the expected revision of appends: work
 * under a lease must write through those.
 */
export interface LeaseHolder {
  /** No other process can ask for a lease: this one is the whole service. */
  readonly soleProcess: boolean;

  /**
   * Waits until this process holds the lease `name`, then runs `work`. The signal that `work` gets
   * aborts when the lease is lost or `options.signal` aborts; a lost lease is waited for again, and
   * `work` runs anew, but never before its last run has settled. Resolves when `work` resolves
   * while it holds the lease, or once `options.signal` aborted and `work` has settled.
   * @throws what `work` throws before its signal aborts; what it throws afterwards is taken as its
   * way to end.
   */
  hold(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    options: { readonly signal: AbortSignal },
  ): Promise<void>;
}
