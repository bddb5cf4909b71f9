import { sleep } from '#platform';

/**
 * Stores the dispatcher's position while it works: one write at a time, with the newest position
 * that arrived in between. A checkpoint that lags costs a repeated message; waiting for its write
 * would delay the next event.
 */
export class CheckpointSaver {
  private wanted: string | undefined;
  private writing: Promise<void> | undefined;
  private pause = new AbortController();
  private failure: { readonly error: unknown } | undefined;

  /** @param pauseMs from the end of a write to the next. */
  constructor(
    private readonly write: (position: string) => Promise<void>,
    private readonly pauseMs = 0,
  ) {}

  /**
   * To be called when everything up to the position is published. @throws what an earlier write
   * failed with, once.
   */
  save(position: string): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure) throw failure.error;
    this.wanted = position;
    this.writing ??= this.run().finally(() => (this.writing = undefined));
  }

  /** Resolves when nothing is being written any more, however it ended. */
  async settled(): Promise<void> {
    this.pause.abort();
    await this.writing;
  }

  private async run(): Promise<void> {
    while (this.wanted !== undefined) {
      const position = this.wanted;
      this.wanted = undefined;
      try {
        await this.write(position);
        this.failure = undefined;
      } catch (error) {
        this.failure = { error };
      }
      if (this.pauseMs > 0) {
        this.pause = new AbortController();
        await sleep(this.pauseMs, this.pause.signal);
      }
    }
  }
}
