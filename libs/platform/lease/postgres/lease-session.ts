import { createHash } from 'node:crypto';
import { Socket } from 'node:net';

import { Client } from 'pg';

import { withTimeout } from '../../clock/sleep.js';

/**
 * Milliseconds between two heartbeats, and until a missing answer counts as a lost lease. Together
 * they are less than the server's timeout, so that a disconnected holder notices before another one
 * takes over.
 */
const HEARTBEAT_MS = 2_000;
const ANSWER_MS = 4_000;
const CONNECT_MS = 5_000;

/**
 * Makes the server end a session whose process hangs (no heartbeat) or is disconnected, and release
 * its lock. Without it, the holder on a failed machine would keep the lock for hours.
 */
const SERVER_PATIENCE = `
  set idle_session_timeout = '7s';
  set tcp_keepalives_idle = 2;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 2`;

/** A dedicated connection that holds at most one advisory lock during its life. */
export class LeaseSession {
  private readonly ended = new AbortController();

  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    private readonly backend: number,
  ) {
    client.on('error', (error) => this.ended.abort(error));
    client.on('end', () => this.ended.abort(new Error('The connection ended')));
  }

  /** @throws Error if the server is unreachable or rejects the login. */
  static async open(url: string): Promise<LeaseSession> {
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      application_name: 'footnote lease',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: HEARTBEAT_MS,
      // This module's own socket can be destroyed at once, whatever state the driver is in.
      stream: () => socket,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(SERVER_PATIENCE);
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return new LeaseSession(client, socket, rows[0]?.pid ?? 0);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Reports whether this session now holds the lock of this name. */
  async tryLock(name: string): Promise<boolean> {
    const { rows } = await this.client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1) as locked',
      [lockKey(name)],
    );
    return rows[0]?.locked === true;
  }

  /**
   * Calls `lost` once, as soon as the connection is gone or does not answer.
   * @returns a function that stops watching.
   */
  watch(lost: (reason: unknown) => void): () => void {
    const { signal } = this.ended;
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      void this.heartbeat().finally(() => (busy = false));
    }, HEARTBEAT_MS);
    const stop = () => {
      clearInterval(timer);
      signal.removeEventListener('abort', report);
    };
    const report = () => {
      stop();
      lost(signal.reason);
    };
    if (signal.aborted) report();
    else signal.addEventListener('abort', report);
    return stop;
  }

  /** Ends the connection, and with it the lock, within a second. */
  async end(): Promise<void> {
    await withTimeout(
      this.client.end(),
      1_000,
      'The server did not answer the end of the connection',
    ).catch(() => undefined);
    this.socket.destroy();
  }

  /**
   * Checks the session. Another backend's answer means a pooler that shares connections between
   * clients, which cannot hold a lock.
   */
  private async heartbeat(): Promise<void> {
    try {
      const { rows } = await this.client.query<{ pid: number }>('select pg_backend_pid() as pid');
      if (rows[0]?.pid !== this.backend)
        throw new Error('Another session answered; leases need a direct connection');
    } catch (error) {
      this.ended.abort(error);
      this.socket.destroy();
    }
  }
}

/** Advisory locks are named by 64-bit numbers. */
function lockKey(name: string): string {
  return createHash('sha256')
    .update(`footnote lease ${name}`)
    .digest()
    .readBigInt64BE(0)
    .toString();
}
