import { type MessagePort, parentPort } from 'node:worker_threads';

import {
  type Answer,
  faultOf,
  OPENED,
  type Question,
  type ThreadMessage,
  TOLD,
} from './thread-protocol.js';
import type { Transferable } from './transferables.js';

/** What a handler returns whose answer is sent later, by `send`. */
export const LATER = Symbol('answered later');

/**
 * The thread's side of a `ThreadClient`. It loads nothing: import it by its path, so that a thread
 * starts without the HTTP clients and loggers of the house.
 */
export class ThreadServer<Request, News = never> {
  /** @param transferablesOf what of an answer is moved instead of copied. Default: nothing. */
  constructor(
    private readonly transferablesOf: (value: unknown) => readonly Transferable[] = () => [],
    private readonly port: Pick<MessagePort, 'postMessage' | 'on' | 'close'> = ownPort(),
  ) {}

  /** What is served is open; for who waits for it. */
  opened(value?: unknown): void {
    this.send({ answers: [{ id: OPENED, value }] });
  }

  /** What is to be served cannot be opened: the thread ends. */
  refused(error: unknown): void {
    this.send({ answers: [{ id: OPENED, fault: faultOf(error) }] });
    this.port.close();
  }

  /**
   * Answers each request by what `handle` returns or throws, promised or at once; requests come in
   * their order, and promised answers do not hold up the next. What was told without being asked,
   * and cannot be taken in, ends the thread.
   */
  serve(handle: (request: Request, id: number) => unknown): void {
    this.port.on('message', ({ id, body }: Question<Request>) => {
      if (id === TOLD) return void handle(body, id);
      try {
        const value = handle(body, id);
        if (value === LATER) return;
        if (!(value instanceof Promise)) return this.answer(id, value);
        value.then(
          (settled: unknown) => this.answer(id, settled),
          (error: unknown) => this.send({ answers: [{ id, fault: faultOf(error) }] }),
        );
      } catch (error) {
        this.send({ answers: [{ id, fault: faultOf(error) }] });
      }
    });
  }

  send(message: ThreadMessage<News>, transferred: readonly Transferable[] = []): void {
    this.port.postMessage(message, [...transferred]);
  }

  /** What is served must not be used any more; the client ends the thread. */
  fatal(error: unknown): void {
    this.send({ fatal: faultOf(error) });
  }

  /** Takes no more requests: a thread that has nothing else to do ends. */
  stop(): void {
    this.port.close();
  }

  private answer(id: number, value: unknown): void {
    this.send({ answers: [{ id, value } satisfies Answer] }, this.transferablesOf(value));
  }
}

function ownPort(): MessagePort {
  if (!parentPort) throw new Error('This file runs in a worker thread');
  return parentPort;
}
