import { Injectable } from '@nestjs/common';

/** Whether the process still takes requests. Draining comes before anything else of a shutdown and is final. */
@Injectable()
export class Lifecycle {
  private readonly controller = new AbortController();

  /** Aborts when draining begins: long answers end then. */
  get draining(): AbortSignal {
    return this.controller.signal;
  }

  drain(): void {
    this.controller.abort();
  }
}
