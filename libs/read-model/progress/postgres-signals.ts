import { Socket } from 'node:net';

import { Client } from 'pg';

import type { Position } from '#contracts';
import { type Logger, sleep, withTimeout } from '#platform';

import type { ProjectionName } from '../tables/tables.js';
import { PROGRESS_CHANNEL } from '../versions/checkpoints.js';
import type { ProgressSignals } from './progress-signals.js';
import type { ProjectionProgress } from './projection-progress.js';

export interface PostgresSignalsOptions {
  /** `postgres://…` of any login; directly to the server, or through a pooler in session mode. */
  readonly url: string;
  /** Receives the checkpoints of every process. */
  readonly progress: ProjectionProgress;
  readonly logger: Logger;
}

const CONNECT_MS = 5_000;
const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 10_000;
const RETRY_MS = 1_000;
const PAYLOAD = /^([a-z_]{1,63}) (\d{1,40})$/;

/**
 * Receives the progress of every projector on a connection of its own. It connects when first
 * needed, and replaces a connection that is lost or does not answer. Signals during that time are
 * lost, so waiting callers also poll.
 */
export class PostgresSignals implements ProgressSignals {
  live = false;
  private readonly closing = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: PostgresSignalsOptions) {}

  start(): void {
    if (!this.closing.signal.aborted) this.running ??= this.run();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    let reported = false;
    while (!signal.aborted) {
      try {
        await this.listen(signal, () => (reported = false));
      } catch (error) {
        if (!reported)
          this.options.logger.warn(
            { error: String(error) },
            'read models: progress signals are lost; polling the projections',
          );
        reported = true;
      }
      await sleep(RETRY_MS, signal);
    }
  }

  private async listen(signal: AbortSignal, onLive: () => void): Promise<void> {
    // This module's own socket can be destroyed at once, whatever state the driver is in.
    const socket = new Socket();
    const client = new Client({
      connectionString: this.options.url,
      application_name: 'footnote progress',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      stream: () => socket,
    });
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => undefined);
    client.on('error', (error) => ended.reject(error));
    client.on('end', () => ended.reject(new Error('The connection ended')));
    client.on('notification', ({ payload }) => this.take(payload));
    try {
      await client.connect();
      await client.query(`listen ${PROGRESS_CHANNEL}`);
      this.live = true;
      onLive();
      while (!signal.aborted) {
        await Promise.race([sleep(HEARTBEAT_MS, signal), ended.promise]);
        if (!signal.aborted) await client.query('select 1');
      }
    } finally {
      this.live = false;
      await withTimeout(
        client.end(),
        1_000,
        'The server did not answer the end of the connection',
      ).catch(() => undefined);
      socket.destroy();
    }
  }

  private take(payload: string | undefined): void {
    const [, name, position] = PAYLOAD.exec(payload ?? '') ?? [];
    if (name && position)
      this.options.progress.report(name as ProjectionName, position as Position);
  }
}
