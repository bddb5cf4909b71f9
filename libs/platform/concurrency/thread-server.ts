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

/** Return value of a handler whose answer is sent later, by `send`. */
export const LATER = Symbol('answered later');

/**
 * The thread's side of a `ThreadClient`. It loads nothing: import it by its path, so that a thread
 * starts without HTTP clients and loggers.
 */
export class ThreadServer<Request, News = never> {
  /**
   * @param transferablesOf the parts of an answer that are moved instead of copied. Default: none.
   */
  constructor(
    private readonly transferablesOf: (value: unknown) => readonly Transferable[] = () => [],
    private readonly port: Pick<MessagePort, 'postMessage' | 'on' | 'close'> = ownPort(),
  ) {}

  /** Reports a successful open to a waiting client. */
  opened(value?: unknown): void {
    this.send({ answers: [{ id: OPENED, value }] });
  }

  /** Reports a failed open; the thread ends. */
  refused(error: unknown): void {
    this.send({ answers: [{ id: OPENED, fault: faultOf(error) }] });
    this.port.close();
  }

  /**
   * Answers each request with the result or error of `handle`, which may be a promise. Requests
   * arrive in order, and pending promises do not delay later requests. An error in a message
   * without an answer ends the thread.
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

  /** Reports that the thread's resource must not be used any more; the client ends the thread. */
  fatal(error: unknown): void {
    this.send({ fatal: faultOf(error) });
  }

  /** Accepts no more requests: a thread without other work ends. */
  stop(): void {
    this.port.close();
  }

  private answer(id: number, value: unknown): void {
    this.send({ answers: [{ id, value } satisfies Answer] }, this.transferablesOf(value));
  }
}

function ownPort(): MessagePort {
  if (!parentPort) throw new Error('This file must run in a worker thread');
  return parentPort;
}
