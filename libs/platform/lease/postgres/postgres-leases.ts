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
 * Leases between processes by advisory locks of one PostgreSQL database, one connection for each
 * lease that is held or waited for. A holder that dies is followed within about a second, one that
 * stands still or is cut off within ten; while the server is away nobody holds a lease.
 * @throws FootnoteError `engine_unavailable` when the server cannot be reached now; the driver's
 * error when it refuses the login. Later outages are waited out.
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

  /** Aborts whatever runs under a lease, waits for it and gives the leases back. */
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

  /** @returns a session that has the lock, or null when the signal aborted first. */
  private async acquire(name: string, signal: AbortSignal): Promise<LeaseSession | null> {
    let told = false;
    while (!signal.aborted) {
      let session: LeaseSession | undefined;
      try {
        session = await LeaseSession.open(this.options.url);
        told = false;
        while (!signal.aborted) {
          if (await session.tryLock(name)) return session;
          await sleep(RETRY_MS, signal);
        }
      } catch (error) {
        if (!told)
          this.options.logger.warn(
            { lease: name, error: String(error) },
            'a lease waits for PostgreSQL',
          );
        told = true;
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
      logger.warn({ lease: name, error: String(reason) }, 'a lease was lost');
      lost.abort(reason);
    });
    const either = AbortSignal.any([signal, lost.signal]);
    logger.info({ lease: name }, 'a lease was taken');
    try {
      if (!either.aborted) await work(either);
      return lost.signal.aborted ? 'lost' : 'done';
    } catch (error) {
      if (!either.aborted) throw error;
      logger.debug({ lease: name, error: String(error) }, 'work under a lease ended');
      return lost.signal.aborted ? 'lost' : 'done';
    } finally {
      unwatch();
      await session.end();
    }
  }
}
