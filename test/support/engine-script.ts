import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { PROJECT_ROOT } from './project-root.js';

/** An instance of a real engine that a test has for itself, so that it may kill it. */
export class EngineInstance {
  private constructor(
    private readonly name: string,
    private readonly directory: string,
    private readonly port: number,
  ) {}

  /** On a free port, with its data below `directory`. */
  static async at(name: 'postgres' | 's3', directory: string): Promise<EngineInstance> {
    return new EngineInstance(name, directory, await freePort());
  }

  /** Starts it, also after `kill`. @returns the variables that the script prints. */
  async start(): Promise<Readonly<Record<string, string>>> {
    const output = await this.run('start');
    return Object.fromEntries(
      output
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.run('kill');
  }

  async stop(): Promise<void> {
    await this.run('stop');
  }

  private async run(verb: string): Promise<string> {
    const script = join(PROJECT_ROOT, `test/engines/${this.name}.sh`);
    const words = [verb, '--dir', this.directory, '--port', String(this.port)];
    const { stdout } = await promisify(execFile)(script, words, { timeout: 90_000 });
    return stdout;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
