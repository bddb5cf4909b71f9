import { EventEmitter } from 'node:events';

import { FootnoteError } from '#contracts';

import type { PgliteResult } from './pglite-protocol.js';

/** What the pool hands out: one session that executes in order. */
export interface Session {
  query(sql: string, parameters?: readonly unknown[]): Promise<PgliteResult>;
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

/** The part of node-postgres' client that TypeORM uses. It refuses work after its release. */
export class SessionClient extends EventEmitter {
  private released = false;

  constructor(private readonly session: Session) {
    super();
  }

  async query(sql: string, parameters?: readonly unknown[]): Promise<PgliteResult> {
    if (this.released) throw new Error('A query was sent on a session that was given back');
    return this.session.query(sql, parameters);
  }

  release(): void {
    this.released = true;
  }
}

/**
 * A pool of one: hands its session to one holder at a time, from checkout to release, first come
 * first served, so that transactions of different holders never mix. It takes the place of
 * node-postgres' Pool in TypeORM's Postgres driver. A checkout that waits too long, or comes when
 * too many wait, fails with `engine_unavailable`. Emits `returned` when the session comes back.
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
      return refuse(checkout, `${this.maxWaiting} others wait for the read models already`);
    }
    const timer = setTimeout(() => {
      this.waiting.splice(
        this.waiting.findIndex((waiting) => waiting.timer === timer),
        1,
      );
      refuse(checkout, `The read models were busy for ${this.waitTimeoutMs} ms`);
    }, this.waitTimeoutMs);
    this.waiting.push({ checkout, timer });
  }

  /** How often the session was handed out. */
  get checkouts(): number {
    return this.handedOut;
  }

  /** Refuses who waits, lets nobody in any more and closes the session. */
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

  /** A holder that failed may have left a transaction open. */
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
    // Who waits comes first, then whoever listens.
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
