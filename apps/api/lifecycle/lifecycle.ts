import { Injectable } from '@nestjs/common';

/**
 * Knows whether the process still accepts requests. Draining is the first step of a shutdown and is
 * final.
 */
@Injectable()
export class Lifecycle {
  private readonly controller = new AbortController();
  private ending = false;

  /** Aborts when draining begins: long answers end then. */
  get draining(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * False from the moment that the end is known: balancers stop sending requests, which are still
   * served.
   */
  get takesRequests(): boolean {
    return !this.ending;
  }

  announceEnd(): void {
    this.ending = true;
  }

  drain(): void {
    this.ending = true;
    this.controller.abort();
  }
}
