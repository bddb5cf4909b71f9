import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

/** What a service process is started with. */
export interface ServiceOptions {
  readonly dataDir: string;
  /** First key of the first tenant on an empty store. */
  readonly key: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What to run, below `dist`, without its ending. Default: the whole service in one process. */
  readonly entry?: string;
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

/** The whole service as a process of its own, as `npm start` runs it, on a free port of the loopback. */
export class ServiceProcess implements RunningService {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly log: string[],
  ) {}

  /** Starts it and waits until it is ready. @throws Error with its output when it ends before. */
  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    const log: string[] = [];
    const child = spawn(
      process.execPath,
      [join(process.cwd(), 'dist', `${options.entry ?? 'apps/standalone/main'}.js`)],
      {
        env: {
          PATH: process.env['PATH'],
          ...runtimeSettings(),
          PORT: '0',
          DATA_DIR: options.dataDir,
          BOOTSTRAP_API_KEY: options.key,
          ALLOW_FILE_URLS: 'true',
          LOG_LEVEL: 'info',
          ...options.environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    try {
      const service = new ServiceProcess(child, await listening(child, log), log);
      await service.ready();
      return service;
    } catch (error) {
      // A test that could not start its service must not leave it behind.
      child.kill('SIGKILL');
      throw error;
    }
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get output(): string {
    return this.log.join('');
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

  private async ready(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      const status = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return;
      if (Date.now() > deadline) throw new Error(`The service is not ready:\n${this.output.slice(-4_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Resolves with the URL that the process announces in its log. */
function listening(child: ChildProcess, log: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No address announced:\n${log.join('')}`)), READY_TIMEOUT_MS);
    const done = (act: () => void) => {
      clearTimeout(timer);
      act();
    };
    const collect = (part: Buffer) => {
      log.push(part.toString());
      const match = /"url":"(http:\/\/[^"]+)"/.exec(log.join(''));
      if (match?.[1]) done(() => resolve(match[1] as string));
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', (part: Buffer) => log.push(part.toString()));
    child.once('exit', (code, signal) =>
      done(() => reject(new Error(`The service ended (${code ?? signal}):\n${log.join('')}`))),
    );
  });
}

/** What `npm start` gives every process of ours. */
function runtimeSettings(): Record<string, string> {
  return JSON.parse(readFileSync(join(process.cwd(), 'tools/runtime-env.json'), 'utf8')) as Record<string, string>;
}
