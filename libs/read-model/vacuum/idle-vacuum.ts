import type { Logger } from '#platform';

import type { ExclusivePool, SessionClient } from '../pglite/exclusive-pool.js';
import { SCHEMA } from '../schema.js';

export interface IdleVacuumPauses {
  /** Milliseconds without a query before a table is vacuumed. Default 1,000. */
  readonly idleMs?: number;
  /**
   * Milliseconds after which a table is vacuumed between two queries if there was no idle moment.
   * Default 300,000.
   */
  readonly latestMs?: number;
  /**
   * Milliseconds between two checks of the tables while nothing needs vacuuming. Default 30,000.
   */
  readonly intervalMs?: number;
}

export interface IdleVacuumOptions extends IdleVacuumPauses {
  readonly logger: Logger;
}

/**
 * Bytes of write-ahead log after which a checkpoint removes it. PGlite itself writes a checkpoint
 * only when it closes.
 */
const MAX_WAL_BYTES = 32 * 1024 ** 2;
/** Checkouts after which a check takes its turn among the queries. */
const MAX_CHECKOUTS = 1_000;
/** Dead rows that every table may have. */
const FEW_DEAD = 25;
/** Dead rows that a table may have as a share of its live ones. */
const DEAD_SHARE = 0.1;

/**
 * Counts live rows by the written ones, because the estimate of a vacuum drifts. After a crash the
 * counts begin at 0, and tables are vacuumed early.
 */
const NEXT_TABLE = `
  select relname as name, n_dead_tup::int as dead from pg_stat_user_tables
   where schemaname = '${SCHEMA}'
     and n_dead_tup >= ${FEW_DEAD} + ${DEAD_SHARE} * greatest(n_tup_ins - n_tup_del, 0)
   order by n_dead_tup desc limit 1`;

const WAL_BYTES = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`;

/**
 * Replaces PostgreSQL's autovacuum and checkpointer, which PGlite lacks. It removes dead rows of
 * changed tables and the write-ahead log while no query runs. It uses the single session for one
 * table at a time.
 */
export class IdleVacuum {
  private readonly idleMs: number;
  private readonly latestMs: number;
  private readonly intervalMs: number;
  private timer: NodeJS.Timeout | undefined;
  private working = false;
  private stopped = false;
  /** End of the first query after the last check; undefined if there was none. */
  private usedSince: number | undefined;
  private notBefore = 0;
  /** The checkout of the last check; later ones are queries. */
  private ownCheckout = 0;

  constructor(
    private readonly pool: Pick<ExclusivePool, 'connect' | 'on' | 'checkouts'>,
    private readonly options: IdleVacuumOptions,
  ) {
    this.idleMs = options.idleMs ?? 1_000;
    this.latestMs = options.latestMs ?? 300_000;
    this.intervalMs = options.intervalMs ?? 30_000;
    pool.on('returned', () => this.used());
  }

  /** Stops; no table is vacuumed after that. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private used(): void {
    if (this.working || this.stopped || this.pool.checkouts === this.ownCheckout) return;
    const now = performance.now();
    if (this.pool.checkouts - this.ownCheckout >= MAX_CHECKOUTS) return this.begin();
    this.usedSince ??= now;
    const latest = Math.max(this.usedSince + this.latestMs, this.notBefore);
    if (now >= latest) return this.begin();
    this.wait(Math.max(this.idleMs, this.notBefore - now));
  }

  private wait(pauseMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), pauseMs).unref();
  }

  private begin(): void {
    clearTimeout(this.timer);
    if (this.working || this.stopped) return;
    this.working = true;
    this.pool.connect((_refused, client, release) => {
      if (!client) return void (this.working = false);
      this.ownCheckout = this.pool.checkouts;
      this.tidy(client).then(
        (found) => {
          release();
          this.ended(found);
        },
        (error: unknown) => {
          release(error);
          this.options.logger.warn(
            { error: String(error) },
            'read models: vacuum failed; retrying when idle',
          );
          this.ended(false);
        },
      );
    });
  }

  private ended(found: boolean): void {
    this.working = false;
    this.usedSince = undefined;
    if (this.stopped) return;
    if (found) return this.wait(this.idleMs);
    this.notBefore = performance.now() + this.intervalMs;
  }

  /**
   * Does one piece of work.
   * @returns false if there is none.
   */
  private async tidy(client: SessionClient): Promise<boolean> {
    const [wal] = (await client.query(WAL_BYTES)).rows as readonly { readonly bytes: number }[];
    if (wal && wal.bytes >= MAX_WAL_BYTES) {
      await client.query('checkpoint');
      return true;
    }
    // Counts of the last second may not be visible yet.
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query(NEXT_TABLE);
    const [table] = rows as readonly { readonly name: string; readonly dead: number }[];
    if (!table) return false;
    const started = performance.now();
    await client.query(`vacuum ${SCHEMA}."${table.name}"`);
    const ms = Math.round(performance.now() - started);
    this.options.logger.debug(
      { table: table.name, dead_rows: table.dead, ms },
      'read models: vacuumed a table',
    );
    return true;
  }
}
