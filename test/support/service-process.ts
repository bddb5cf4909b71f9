import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

/** The options of a service process. */
export interface ServiceOptions {
  readonly dataDir: string;
  /** First key of the first tenant on an empty store. */
  readonly key: string;
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The module to run, below `dist`, without its extension. Default: the whole service in one
   * process.
   */
  readonly entry?: string;
  /** Checkout whose build runs. Default: this one. */
  readonly root?: string;
}

/** A service that runs, in one process or several. */
export interface RunningService {
  readonly url: string;
  readonly pid: number;
  readonly output: string;
  /** Ends it as a power cut would: no handler runs. */
  kill(): Promise<void>;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
}

/** A process of the service that was started and is not waited for, as `npm start` runs it. */
export class StartingProcess {
  readonly child: ChildProcess;
  private readonly log: string[] = [];

  /** By default on a free port of the loopback. */
  constructor(options: ServiceOptions) {
    const root = options.root ?? process.cwd();
    const entry = join(root, 'dist', `${options.entry ?? 'apps/standalone/main'}.js`);
    this.child = spawn(process.execPath, [entry], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        ...runtimeSettings(),
        PORT: '0',
        DATA_DIR: options.dataDir,
        BOOTSTRAP_API_KEY: options.key,
        ALLOW_FILE_URLS: 'true',
        LOG_LEVEL: 'info',
        // Tests count what their own requests come to.
        SERVICE_DOCS: 'false',
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (part: Buffer) => this.log.push(part.toString()));
    }
  }

  /** The output so far. */
  get output(): string {
    return this.log.join('');
  }

  /**
   * Resolves with its exit code, null where a signal ended it. @throws Error when it goes on for
   * longer.
   */
  async ended(withinMs: number): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'close', { signal: AbortSignal.timeout(withinMs) }).catch(
        (error: unknown) => {
          throw new Error(`The process did not end within ${withinMs} ms:\n${this.output}`, {
            cause: error,
          });
        },
      );
    }
    return this.child.exitCode;
  }

  /** Resolves when its output matches. @throws Error when it ends before, or takes longer. */
  async says(pattern: RegExp, withinMs: number): Promise<RegExpExecArray> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      const { exitCode, signalCode } = this.child;
      if (exitCode !== null || signalCode !== null) {
        throw new Error(`The process ended (${exitCode ?? signalCode}):\n${this.output}`);
      }
      if (Date.now() > deadline)
        throw new Error(`It did not say ${pattern} within ${withinMs} ms:\n${this.output}`);
      await delay(10);
    }
  }

  /** Ends it as a power cut would: no handler runs. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  /** Asks it to stop and returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const [code] = (await gone) as [number | null];
    clearTimeout(timer);
    return code;
  }
}

/**
 * The whole service as a process of its own, as `npm start` runs it, on a free port of the
 * loopback.
 */
export class ServiceProcess implements RunningService {
  private constructor(
    private readonly starting: StartingProcess,
    readonly url: string,
  ) {}

  /** Starts it and waits until it is ready. @throws Error with its output when it ends before. */
  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    return ServiceProcess.whenReady(new StartingProcess(options));
  }

  /**
   * Waits until a process that was started is ready. @throws Error with its output when it ends
   * before.
   */
  static async whenReady(starting: StartingProcess): Promise<ServiceProcess> {
    try {
      const [, url = ''] = await starting.says(/"url":"(http:\/\/[^"]+)"/, READY_TIMEOUT_MS);
      const service = new ServiceProcess(starting, url);
      await service.ready();
      return service;
    } catch (error) {
      // A test that could not start its service must not leave it behind.
      await starting.kill();
      throw error;
    }
  }

  get pid(): number {
    return this.starting.child.pid ?? -1;
  }

  get output(): string {
    return this.starting.output;
  }

  kill(): Promise<void> {
    return this.starting.kill();
  }

  stop(): Promise<number | null> {
    return this.starting.stop();
  }

  private async ready(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      const status = await fetch(`${this.url}/health/ready`, {
        signal: AbortSignal.timeout(5_000),
      }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return;
      if (Date.now() > deadline)
        throw new Error(`The service is not ready:\n${this.output.slice(-4_000)}`);
      await delay(20);
    }
  }
}

/** The options that `npm start` gives every process of this project. */
function runtimeSettings(): Record<string, string> {
  return JSON.parse(readFileSync(join(process.cwd(), 'tools/runtime-env.json'), 'utf8')) as Record<
    string,
    string
  >;
}
