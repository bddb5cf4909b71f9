import type { TextSink } from '#search';

import { Signal } from '../streams/signal.js';

/** Bytes that wait for a slow client before the search waits for it. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Longest wait before the sink looks at its deadline again. */
const WAIT_MS = 50;

/** The text of a search between the search and its client. */
export class SentText implements TextSink {
  private readonly waiting: Uint8Array[] = [];
  private bytes = 0;
  private isOver = false;
  private readonly found: Signal;
  private readonly sent: Signal;
  /** Files whose lines were found. */
  files = 0;

  /** @param ended aborts when the client reads no more. */
  constructor(private readonly ended: AbortSignal) {
    this.found = new Signal(ended);
    this.sent = new Signal(ended);
  }

  /** True if the client has not read all that was found. */
  get hasText(): boolean {
    return this.waiting.length > 0;
  }

  write(text: Uint8Array, files: number): void {
    this.waiting.push(text);
    this.bytes += text.length;
    this.files += files;
    this.found.ring();
  }

  async room(deadline: AbortSignal): Promise<void> {
    while (this.bytes > MOST_WAITING_BYTES && !deadline.aborted && !this.ended.aborted)
      await this.sent.wait(WAIT_MS);
  }

  /** Reports that nothing more is found. */
  end(): void {
    this.isOver = true;
    this.found.ring();
  }

  /** Waits for text, or for the end. */
  async next(): Promise<Uint8Array | undefined> {
    while (!this.hasText && !this.isOver && !this.ended.aborted) await this.found.wait(WAIT_MS);
    return this.waiting[0];
  }

  /** Removes the text that {@link next} returned. */
  shift(): void {
    this.bytes -= this.waiting.shift()?.length ?? 0;
    this.sent.ring();
  }
}
