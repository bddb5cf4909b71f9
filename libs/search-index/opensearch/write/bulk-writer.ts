import { isFootnoteError } from '#contracts';
import { backOffMs, sleep } from '#platform';

import type { IdentifiedRow } from '../chunk-row.js';
import { errorOfStatus, type SearchServer } from '../server.js';
import { changedMeanwhile } from '../source-records.js';

export interface BulkOptions {
  /** Maximum bytes of a request; a larger row is sent alone. Default 4 MiB. */
  readonly maxBytes: number;
  /** Maximum rows of a request. Default 500. */
  readonly maxRows: number;
  /** Requests in flight at once. Default 2. */
  readonly inFlight: number;
  /** Repetitions for rows that the server cannot accept now, before the change fails. Default 6. */
  readonly retries: number;
  /** Pause before the first repetition, in milliseconds; doubles, up to 5 s. Default 200. */
  readonly retryDelayMs: number;
  /** Timeout of one request, in milliseconds. Default 60,000. */
  readonly timeoutMs: number;
}

export const BULK_DEFAULTS: BulkOptions = {
  maxBytes: 4 * 1024 * 1024,
  maxRows: 500,
  inFlight: 2,
  retries: 6,
  retryDelayMs: 200,
  timeoutMs: 60_000,
};

const MAX_DELAY_MS = 5_000;

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly {
    readonly index: { readonly status: number; readonly error?: { readonly type: string } };
  }[];
}

/**
 * Writes rows of one tenant in requests of bounded size, a few at a time; `add` waits while all are
 * in flight. Temporarily rejected rows (429, 503, a write block) are repeated, only those. Rows
 * have the number of their change as external version. So the same row twice is one row, and a late
 * request loses against a later change.
 */
export class BulkWriter {
  private pending: string[] = [];
  private pendingBytes = 0;
  private readonly underWay = new Set<Promise<void>>();
  private failure: { readonly error: unknown } | undefined;
  private count = 0;

  constructor(
    private readonly server: SearchServer,
    private readonly index: string,
    private readonly routing: string,
    private readonly change: number,
    private readonly options: BulkOptions,
  ) {}

  /** Number of rows added so far. */
  get rows(): number {
    return this.count;
  }

  /** @throws the error of an earlier row. */
  async add({ id, row }: IdentifiedRow): Promise<void> {
    const action = { index: { _id: id, version: this.change, version_type: 'external_gte' } };
    const text = `${JSON.stringify(action)}\n${JSON.stringify(row)}\n`;
    const bytes = Buffer.byteLength(text);
    const { maxBytes, maxRows } = this.options;
    const isFull = this.pending.length >= maxRows || this.pendingBytes + bytes > maxBytes;
    if (this.pending.length > 0 && isFull) await this.dispatch();
    this.pending.push(text);
    this.pendingBytes += bytes;
    this.count += 1;
  }

  /**
   * Resolves when every row is written.
   * @throws FootnoteError `engine_unavailable`.
   */
  async finish(): Promise<void> {
    if (this.pending.length > 0) await this.dispatch();
    await Promise.all(this.underWay);
    this.check();
  }

  /** Waits for requests in flight and sends nothing more. */
  async abandon(): Promise<void> {
    this.failure ??= { error: new Error('abandoned') };
    this.pending = [];
    await Promise.all(this.underWay);
  }

  private async dispatch(): Promise<void> {
    const rows = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    while (this.underWay.size >= this.options.inFlight) await Promise.race(this.underWay);
    this.check();
    const sent: Promise<void> = this.send(rows)
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
  }

  private async send(rows: readonly string[]): Promise<void> {
    let left = rows;
    for (let attempt = 0; ; attempt++) {
      const { refused, error } = await this.trySend(left);
      if (!error) return;
      if (attempt >= this.options.retries || this.failure) throw error;
      left = refused;
      await sleep(
        backOffMs({ firstMs: this.options.retryDelayMs, longestMs: MAX_DELAY_MS }, attempt + 1),
      );
    }
  }

  /**
   * @returns the rows to repeat, and the reason.
   * @throws errors that a repetition would not change.
   */
  private async trySend(
    rows: readonly string[],
  ): Promise<{ readonly refused: readonly string[]; readonly error?: Error }> {
    let answer: BulkAnswer;
    try {
      answer = await this.post(rows);
    } catch (error) {
      if (!isFootnoteError(error, 'engine_unavailable')) throw error;
      return { refused: rows, error };
    }
    if (!answer.errors) return { refused: [] };
    const refused: string[] = [];
    let reason: Error | undefined;
    for (const [at, { index }] of answer.items.entries()) {
      if (!index.error) continue;
      if (index.status === 409) throw changedMeanwhile();
      const error = errorOfStatus(index.status, index.error.type);
      if (!isFootnoteError(error, 'engine_unavailable')) throw error;
      reason ??= error;
      refused.push(rows[at] as string);
    }
    return reason ? { refused, error: reason } : { refused };
  }

  private async post(rows: readonly string[]): Promise<BulkAnswer> {
    const { body } = await this.server.request<BulkAnswer>({
      method: 'POST',
      path: `/${this.index}/_bulk`,
      query: { routing: this.routing },
      lines: rows.join(''),
      timeoutMs: this.options.timeoutMs,
      retries: 0,
    });
    return body;
  }

  private check(): void {
    if (this.failure) throw this.failure.error;
  }
}
