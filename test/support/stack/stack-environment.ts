import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { tempDir } from '../temp-dir.js';

/** The engines' addresses, as `test/engines/*.sh` print them. */
const ADDRESSES = [
  'DATABASE_URL',
  'DATABASE_ADMIN_URL',
  'OPENSEARCH_URL',
  'KAFKA_BROKERS',
  'S3_ENDPOINT',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

const START_TIMEOUT_MS = 30_000;
/** SQLSTATE of a missing right. */
const NOT_PERMITTED = '42501';
const DROP_ATTEMPTS = 60;
const DROP_PAUSE_MS = 500;

/** True where the tests are to run the service as separate processes on real engines. */
export const ON_STACK = process.env['FOOTNOTE_STACK'] === '1';

/**
 * The part of the shared engines that one service uses: a database, a bucket, indexes and topics of
 * its own. A log cannot be shared, so the service has a log server of its own.
 */
export class StackEnvironment {
  private constructor(
    /** The options of the processes of the service. */
    readonly variables: Readonly<Record<string, string>>,
    private readonly name: string,
    private readonly folder: ReturnType<typeof tempDir>,
    private log: ChildProcess,
    private readonly logPort: number,
  ) {}

  static async open(): Promise<StackEnvironment> {
    const given = Object.fromEntries(ADDRESSES.map((name) => [name, needed(name)]));
    const name = `t${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
    const database = `footnote_${name}`;
    await onServer(
      async (client) =>
        void (await client.query(`create database ${database} owner footnote_owner`)),
    );
    const folder = tempDir('footnote-stack-');
    const { child, port } = await startLog(folder.path, 0);
    const variables = {
      ...given,
      DATABASE_URL: inDatabase(given['DATABASE_URL'] ?? '', database),
      DATABASE_ADMIN_URL: inDatabase(given['DATABASE_ADMIN_URL'] ?? '', database),
      DATABASE_POOL: '4',
      S3_BUCKET: `footnote-${name}`,
      OPENSEARCH_INDEX_PREFIX: `footnote-${name}`,
      KAFKA_TOPIC_PREFIX: `footnote.${name}.`,
      KAFKA_PARTITIONS: '4',
      EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false`,
      MASTER_KEY: '0f'.repeat(32),
      JWT_SECRET: 'a secret for the processes of one service',
    };
    return new StackEnvironment(variables, name, folder, child, port);
  }

  /** Ends the log server as a power cut would. */
  async killLog(): Promise<void> {
    const gone = once(this.log, 'exit');
    this.log.kill('SIGKILL');
    await gone;
  }

  /** Starts it again on the same port and data. */
  async restartLog(): Promise<void> {
    this.log = (await startLog(this.folder.path, this.logPort)).child;
  }

  /** Ends the log server, changes its folder by `work`, and starts it again. */
  async changeLog(work: (folder: string) => Promise<void> | void): Promise<void> {
    await this.killLog();
    await work(join(this.folder.path, 'log'));
    await this.restartLog();
  }

  /** Runs statements as the owner of the service's database. */
  async sql(statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.variables['DATABASE_ADMIN_URL'] });
    await client.connect();
    return client
      .query<Record<string, unknown>>(statement)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  /** Removes every index of the service. */
  async loseIndex(): Promise<void> {
    await fetch(`${needed('OPENSEARCH_URL')}/footnote-${this.name}-*`, { method: 'DELETE' });
  }

  /** The next append is committed and its answer lost. Resolves when the log server knows. */
  async loseNextAnswer(): Promise<void> {
    const { stdout } = this.log;
    if (!stdout) throw new Error('The log server has no output');
    const reported = once(stdout, 'data', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
    this.log.kill('SIGUSR2');
    await reported;
  }

  async close(): Promise<void> {
    if (this.log.exitCode === null && this.log.signalCode === null) await this.killLog();
    await onServer((client) => dropDatabase(client, `footnote_${this.name}`));
    await fetch(`${needed('OPENSEARCH_URL')}/footnote-${this.name}-*`, { method: 'DELETE' }).catch(
      () => undefined,
    );
    this.folder.remove();
  }
}

/**
 * Drops a database with its connections. Its owner may not end the vacuum that the server runs in
 * it, so the drop is repeated until that has ended.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await client.query(`drop database if exists ${name} with (force)`));
    } catch (error) {
      const isForbidden = error instanceof pg.DatabaseError && error.code === NOT_PERMITTED;
      if (!isForbidden || attempt === DROP_ATTEMPTS) throw error;
      await delay(DROP_PAUSE_MS);
    }
  }
}

async function onServer(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: needed('DATABASE_ADMIN_URL'),
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function inDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is unset: npm run test:stack sets it`);
  return value;
}

async function startLog(
  directory: string,
  port: number,
): Promise<{ child: ChildProcess; port: number }> {
  const main = join(process.cwd(), 'dist/test/support/eventstoredb/main.js');
  const child = spawn(
    process.execPath,
    [main, '--port', String(port), '--dir', join(directory, 'log')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const line = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data').then(([part]) => String(part)),
    once(child, 'exit').then(() => ''),
    new Promise<string>((resolve) => setTimeout(() => resolve(''), START_TIMEOUT_MS).unref()),
  ]);
  const listening = /listening on 127\.0\.0\.1:(\d+)/.exec(line);
  if (!listening) throw new Error(`The log server did not start: ${line}`);
  child.stdout?.resume();
  return { child, port: Number(listening[1]) };
}
