import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { CheckpointMode } from './subscription.js';

const READY_TIMEOUT_MS = 20_000;

export interface TestServerProcessOptions {
  readonly checkpoints?: CheckpointMode;
  /**
   * Milliseconds, or a range of them as in `0-1500`, before a subscription receives the end of its
   * history. Default none.
   */
  readonly historyEndDelay?: string;
  /** Milliseconds that an append takes to be committed. Default 0: as soon as it is on disk. */
  readonly commitMs?: number;
}

/**
 * The test server as a process of its own, which can be killed and started again on the same folder
 * and port.
 */
export class EventStoreDbProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  /** @param port 0 for a free one. @throws Error with its output when it does not become ready. */
  static async start(
    directory: string,
    port = 0,
    { checkpoints, historyEndDelay, commitMs = 0 }: TestServerProcessOptions = {},
  ): Promise<EventStoreDbProcess> {
    const main = join(process.cwd(), 'dist/test/support/eventstoredb/main.js');
    const flags = [
      ...['--commit-ms', String(commitMs)],
      ...(checkpoints === undefined ? [] : ['--checkpoints', checkpoints]),
      ...(historyEndDelay === undefined ? [] : ['--history-end-delay', historyEndDelay]),
    ];
    const child = spawn(
      process.execPath,
      [main, '--port', String(port), '--dir', directory, ...flags],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return new EventStoreDbProcess(child, await announcedPort(child));
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** The next append is committed and its answer lost. Resolves when the server knows. */
  async loseNextAnswer(): Promise<void> {
    const { stdout } = this.child;
    if (!stdout) throw new Error('The test server has no output');
    const reported = once(stdout, 'data', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) });
    this.child.kill('SIGUSR2');
    await reported;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

function announcedPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => reject(new Error(`The test server ${why}:\n${output}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('is not ready');
    }, READY_TIMEOUT_MS);
    child.stderr?.on('data', (part: Buffer) => (output += part.toString()));
    child.stdout?.on('data', (part: Buffer) => {
      output += part.toString();
      const port = /listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended (${code ?? signal})`);
    });
  });
}
