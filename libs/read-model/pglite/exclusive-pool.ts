import { EventEmitter } from 'node:events';

import { FootnoteError } from '#contracts';

import type { PgliteResult } from './pglite-protocol.js';

/** The single session of the pool, which executes in order. */
export interface Session {
  /** @param first statements without a result to run before, in the same message. */
  query(sql: string, parameters?: readonly unknown[], first?: string): Promise<PgliteResult>;
  close(): Promise<void>;
}

export interface ExclusivePoolOptions {
  /** Milliseconds that a checkout may wait for its turn. Default 30,000. */
  readonly waitTimeoutMs?: number;
  /** Checkouts that may wait at once. Default 10,000. */
  readonly maxWaiting?: number;
}

type Release = (error?: unknown) => void;
type Checkout = (
  error: Error | undefined,
  client: SessionClient | undefined,
  release: Release,
) => void;

interface Waiting {
  readonly checkout: Checkout;
  readonly timer: NodeJS.Timeout;
}

const BEGIN = /^start transaction\b/;

/**
 * The part of node-postgres' client that TypeORM uses. It rejects queries after its release.
 *
 * The start of a transaction goes to the thread with its first query, because each message wakes
 * the thread and the event loop. A transaction without a query never starts.
 */
export class SessionClient extends EventEmitter {
  private released = false;
  private begin: string | undefined;

  constructor(private readonly session: Session) {
    super();
  }

  async query(sql: string, parameters?: readonly unknown[]): Promise<PgliteResult> {
    if (this.released) throw new Error('A query was sent on a released session');
    if (BEGIN.test(sql)) {
      this.begin = sql;
      return { rows: [], rowCount: 0, command: 'START' };
    }
    const { begin } = this;
    this.begin = undefined;
    return this.session.query(sql, parameters, begin);
  }

  release(): void {
    this.released = true;
  }
}

/**
 * A pool of one session. It lends the session to one holder at a time, first come first served, so
 * that transactions of different holders never mix. It replaces node-postgres' Pool in TypeORM's
 * Postgres driver. A checkout that waits too long, or finds too many waiting, fails with
 * `engine_unavailable`. Emits `returned` when the session is released.
 */
export class ExclusivePool extends EventEmitter {
  private readonly waiting: Waiting[] = [];
  private readonly waitTimeoutMs: number;
  private readonly maxWaiting: number;
  private held = false;
  private ended = false;
  private handedOut = 0;

  constructor(
    private readonly session: Session,
    options: ExclusivePoolOptions = {},
  ) {
    super();
    this.waitTimeoutMs = options.waitTimeoutMs ?? 30_000;
    this.maxWaiting = options.maxWaiting ?? 10_000;
  }

  connect(checkout: Checkout): void {
    if (this.ended) return refuse(checkout, 'The read models are closed');
    if (!this.held) return this.hand(checkout);
    if (this.waiting.length >= this.maxWaiting) {
      return refuse(
        checkout,
        `The read models are overloaded: ${this.maxWaiting} others wait; repeat the request`,
      );
    }
    const timer = setTimeout(() => {
      this.waiting.splice(
        this.waiting.findIndex((waiting) => waiting.timer === timer),
        1,
      );
      refuse(
        checkout,
        `The read models were busy for ${this.waitTimeoutMs} ms; repeat the request`,
      );
    }, this.waitTimeoutMs);
    this.waiting.push({ checkout, timer });
  }

  /** Number of checkouts of the session. */
  get checkouts(): number {
    return this.handedOut;
  }

  /** Rejects waiting checkouts and later ones, and closes the session. */
  end(done: (error?: Error) => void): void {
    this.ended = true;
    for (const { checkout, timer } of this.waiting.splice(0)) {
      clearTimeout(timer);
      refuse(checkout, 'The read models are closed');
    }
    this.session.close().then(() => done(), done);
  }

  private hand(checkout: Checkout): void {
    this.held = true;
    this.handedOut += 1;
    const client = new SessionClient(this.session);
    let released = false;
    checkout(undefined, client, (error) => {
      if (released) return;
      released = true;
      client.release();
      void this.settle(error).finally(() => this.next());
    });
  }

  /** Ends a transaction that a failed holder may have left open. */
  private async settle(error: unknown): Promise<void> {
    if (error && !this.ended) await this.session.query('ROLLBACK').catch(() => undefined);
  }

  private next(): void {
    this.held = false;
    const following = this.waiting.shift();
    if (following) {
      clearTimeout(following.timer);
      this.hand(following.checkout);
    }
    // Waiting checkouts come before listeners.
    this.emit('returned');
  }
}

function refuse(checkout: Checkout, message: string): void {
  checkout(
    new FootnoteError('engine_unavailable', message, { retryAfter: 1 }),
    undefined,
    () => undefined,
  );
}
