import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../apps/mcp/main.js', import.meta.url));
const WAIT_MS = 60_000;

/** A message of JSON-RPC. */
export interface StdioMessage {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

/** The tools over stdio in a process of their own, with access to every byte of its output. */
export class StdioServer {
  readonly lines: string[] = [];
  stderr = '';

  private constructor(readonly child: ChildProcessWithoutNullStreams) {
    createInterface({ input: child.stdout }).on('line', (line) => this.lines.push(line));
    child.stderr.on('data', (part: Buffer) => (this.stderr += part.toString()));
    // A process that ended takes no more lines.
    child.stdin.on('error', () => undefined);
  }

  /**
   * Starts the process for a service.
   * @param onSignal JavaScript that runs in the process at SIGUSR2.
   */
  static start(url: string, key: string, onSignal = ''): StdioServer {
    const hook = `process.on('SIGUSR2', () => { ${onSignal} })`;
    const words = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, MAIN];
    const env = { FOOTNOTE_URL: url, FOOTNOTE_API_KEY: key };
    return new StdioServer(spawn(process.execPath, words, { env }));
  }

  /** Writes a line as it is. */
  write(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  send(method: string, params: object, id?: number): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params }));
  }

  /** Shakes hands as a client of 2025. */
  async initialize(): Promise<void> {
    const clientInfo = { name: 'spec', version: '1.0.0' };
    this.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 0);
    await this.answer(0);
    this.send('notifications/initialized', {});
  }

  /** Waits for the answer to a request. */
  async answer(id: number): Promise<StdioMessage> {
    return this.until(() => this.messages.find((message) => message.id === id));
  }

  /** Waits until a condition has a value. @throws Error with the output if the process ends. */
  async until<T>(condition: () => T | undefined | false): Promise<T> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const found = condition();
      if (found !== undefined && found !== false) return found;
      if (this.child.exitCode !== null || performance.now() > deadline)
        throw new Error(`The process answered: ${this.lines.join('\n')}\n${this.stderr}`);
      await delay(10);
    }
  }

  /** The lines of standard output. @throws Error for a line that is no message of JSON-RPC. */
  get messages(): readonly StdioMessage[] {
    return this.lines.map((line) => {
      const message = JSON.parse(line) as StdioMessage;
      if (message.jsonrpc !== '2.0') throw new Error(`Not a message: ${line}`);
      return message;
    });
  }

  /** Waits for the end of the process. @returns its exit code, or the name of a signal. */
  async ended(): Promise<number | string | null> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return exitCode ?? signalCode;
    const [code, signal] = (await once(this.child, 'close', {
      signal: AbortSignal.timeout(WAIT_MS),
    })) as [number | null, string | null];
    return code ?? signal;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }
}
