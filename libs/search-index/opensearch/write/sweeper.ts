import { backOffMs, type Logger, sleep } from '#platform';

import type { IndexLayout } from '../index-layout.js';
import { unseenRows } from '../row-filter.js';
import type { SearchServer } from '../server.js';
import type { SourceRecord, SourceRecords } from '../source-records.js';

/** Number of rows that one request deletes. */
const MAX_ROWS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;
const MAX_DELAY_MS = 600_000;

export interface SweeperDependencies {
  readonly server: SearchServer;
  readonly layout: IndexLayout;
  readonly records: SourceRecords;
  readonly logger: Logger;
  /** Runs work while nothing else changes the source. */
  readonly alone: <T>(tenantId: string, sourceId: string, work: () => Promise<T>) => Promise<T>;
  /**
   * Called when a change number was taken after `before`, to delete rows that no generation sees.
   */
  readonly onTaken: (record: SourceRecord, before: number) => void;
  /**
   * Time from a drop until its rows are deleted, in milliseconds: longer than a search that began
   * before.
   */
  readonly delayMs: number;
}

/**
 * Deletes rows that no recorded generation sees, some time after a drop, and retries until it
 * succeeds.
 */
export class Sweeper {
  private readonly closing = new AbortController();
  private readonly waiting = new Map<string, Promise<void>>();

  constructor(private readonly dependencies: SweeperDependencies) {}

  /** Resumes the sweeps of an earlier process. */
  async resume(): Promise<void> {
    for (const { tenant_id, source_id } of await this.dependencies.records.unswept())
      this.schedule(tenant_id, source_id);
  }

  schedule(tenantId: string, sourceId: string): void {
    const key = `${tenantId}/${sourceId}`;
    if (this.waiting.has(key) || this.closing.signal.aborted) return;
    const done = this.sweepUntilDone(tenantId, sourceId, () => void this.waiting.delete(key));
    this.waiting.set(key, done);
  }

  /** Stops waiting sweeps; the next process resumes them. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.waiting.values());
  }

  private async sweepUntilDone(
    tenantId: string,
    sourceId: string,
    begun: () => void,
  ): Promise<void> {
    const { alone, logger, delayMs } = this.dependencies;
    const pauses = { firstMs: Math.max(1_000, 2 * delayMs), longestMs: MAX_DELAY_MS };
    for (let attempt = 0; ; attempt += 1) {
      const delay = attempt === 0 ? delayMs : backOffMs(pauses, attempt);
      if (!(await sleep(delay, this.closing.signal, { unref: true }))) return begun();
      try {
        const isDone = await alone(tenantId, sourceId, () => this.sweep(tenantId, sourceId));
        if (isDone) return begun();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        logger.warn(
          { source_id: sourceId, error: message },
          'search index: deleting rows of dropped generations failed; retrying later',
        );
      }
    }
  }

  /** @returns whether nothing is left to sweep. */
  private async sweep(tenantId: string, sourceId: string): Promise<boolean> {
    const { server, layout, records } = this.dependencies;
    const before = await records.hold(tenantId, sourceId);
    if (before.record.swept) return true;
    // The number invalidates concurrent changes of another writer, which compared with rows that
    // are about to be deleted.
    const held = await records.take(before, before.record);
    this.dependencies.onTaken(held.record, before.record.change);
    // By its own name, because the record does not describe an index that has replaced it in the
    // meantime.
    const chunks = layout.concreteChunks;
    const generations = held.record.generations.map(({ generation }) => generation);
    await server.request({ method: 'POST', path: `/${chunks}/_refresh` });
    const { body } = await server.request<{
      deleted: number;
      version_conflicts: number;
      failures: readonly unknown[];
    }>({
      method: 'POST',
      path: `/${chunks}/_delete_by_query`,
      query: {
        routing: tenantId,
        conflicts: 'proceed',
        max_docs: MAX_ROWS,
        timeout: `${REQUEST_TIMEOUT_MS}ms`,
      },
      body: { query: unseenRows(tenantId, sourceId, generations) },
      timeoutMs: REQUEST_TIMEOUT_MS,
      retries: 0,
    });
    if (body.deleted === MAX_ROWS || body.version_conflicts > 0 || body.failures.length > 0)
      return false;
    if (generations.length === 0) await records.remove(held);
    else await records.put(held, { ...held.record, swept: true });
    return true;
  }
}
