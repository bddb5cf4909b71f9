import { sleep } from '../../clock/sleep.js';
import type { Logger } from '../../logging/logger.js';
import { onPostgres } from '../../postgres/postgres-pool.js';
import type { LeaseHolder } from '../lease.port.js';
import { LeaseSession } from './lease-session.js';

const RETRY_MS = 1_000;

export interface PostgresLeasesOptions {
  /** `postgres://…` of any login; directly to the server, or through a pooler in session mode. */
  readonly url: string;
  readonly logger: Logger;
}

/**
 * Opens leases by advisory locks of one PostgreSQL database, one connection for each lease that is
 * held or awaited. A dead holder is replaced within about a second, a hanging or disconnected one
 * within ten. While the server is unavailable, nobody holds a lease.
 * @throws FootnoteError `engine_unavailable` if the server is unreachable now; the driver's error
 * if it rejects the login. Later outages are waited out.
 */
export async function openPostgresLeases(
  options: PostgresLeasesOptions,
): Promise<LeaseHolder & { close(): Promise<void> }> {
  await onPostgres('PostgreSQL', async () => (await LeaseSession.open(options.url)).end());
  return new PostgresLeases(options);
}

class PostgresLeases implements LeaseHolder {
  readonly soleProcess = false;
  private readonly closed = new AbortController();
  private readonly holds = new Set<Promise<void>>();

  constructor(private readonly options: PostgresLeasesOptions) {}

  async hold(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    const hold = this.holdAgain(name, work, AbortSignal.any([options.signal, this.closed.signal]));
    this.holds.add(hold);
    try {
      await hold;
    } finally {
      this.holds.delete(hold);
    }
  }

  /** Aborts all work under leases, waits for it and releases the leases. */
  async close(): Promise<void> {
    this.closed.abort();
    await Promise.allSettled(this.holds);
  }

  private async holdAgain(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const session = await this.acquire(name, signal);
      if (!session || (await this.runHeld(name, session, work, signal)) === 'done') return;
      await sleep(RETRY_MS, signal);
    }
  }

  /** @returns a session that has the lock, or null if the signal aborted first. */
  private async acquire(name: string, signal: AbortSignal): Promise<LeaseSession | null> {
    let reported = false;
    while (!signal.aborted) {
      let session: LeaseSession | undefined;
      try {
        session = await LeaseSession.open(this.options.url);
        reported = false;
        while (!signal.aborted) {
          if (await session.tryLock(name)) return session;
          await sleep(RETRY_MS, signal);
        }
      } catch (error) {
        if (!reported)
          this.options.logger.warn(
            { lease: name, error: String(error) },
            'lease: PostgreSQL is unavailable; retrying',
          );
        reported = true;
      }
      await session?.end();
      await sleep(RETRY_MS, signal);
    }
    return null;
  }

  private async runHeld(
    name: string,
    session: LeaseSession,
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<'done' | 'lost'> {
    const { logger } = this.options;
    const lost = new AbortController();
    const unwatch = session.watch((reason) => {
      logger.warn({ lease: name, error: String(reason) }, 'lease: lost; waiting for it again');
      lost.abort(reason);
    });
    const either = AbortSignal.any([signal, lost.signal]);
    logger.info({ lease: name }, 'lease: acquired; starting its work');
    try {
      if (!either.aborted) await work(either);
      return lost.signal.aborted ? 'lost' : 'done';
    } catch (error) {
      if (!either.aborted) throw error;
      logger.debug({ lease: name, error: String(error) }, 'lease: its work ended; released');
      return lost.signal.aborted ? 'lost' : 'done';
    } finally {
      unwatch();
      await session.end();
    }
  }
}
