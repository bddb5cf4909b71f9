/**
 * A blob that is written only if somebody else needs it. The output of a small stage is in memory
 * for the next stage of the same worker, and no event names it yet.
 */
export class UnwrittenBlob {
  private writing: Promise<unknown> | undefined;
  private stored = false;
  private abandoned = false;

  constructor(
    readonly hash: string,
    private readonly write: () => Promise<unknown>,
  ) {}

  get isStored(): boolean {
    return this.stored;
  }

  /**
   * Writes the blob, once. @throws Error if it is abandoned; errors of the store, after which a
   * later call tries again.
   */
  async store(): Promise<void> {
    if (this.stored) return;
    if (this.abandoned) throw new Error('The output of a stage was abandoned');
    this.writing ??= this.write().finally(() => (this.writing = undefined));
    await this.writing;
    this.stored = true;
  }

  /** Prevents later writes; resolves when none is in flight. */
  async abandon(): Promise<void> {
    this.abandoned = true;
    await this.writing?.then(
      () => (this.stored = true),
      () => undefined,
    );
  }
}
