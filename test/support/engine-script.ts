import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from './free-port.js';
import { PROJECT_ROOT } from './project-root.js';

type EngineName = 'postgres' | 's3' | 'kafka' | 'opensearch';

/** The variable with the address of an engine that `npm run test:stack` started. */
const ADDRESS: Readonly<Record<EngineName, string>> = {
  postgres: 'DATABASE_URL',
  s3: 'S3_ENDPOINT',
  kafka: 'KAFKA_BROKERS',
  opensearch: 'OPENSEARCH_URL',
};

/**
 * An instance of a real engine that a test may kill: one of its own, or the one that the run of the
 * tests shares.
 */
export class EngineInstance {
  private constructor(
    private readonly name: EngineName,
    private readonly directory: string,
    private readonly port: number,
    private readonly tls?: string,
  ) {}

  /**
   * On a free port, with its data below `directory`.
   * @param tls folder of `makeCertificates`, for an engine that answers by TLS alone
   */
  static async at(name: EngineName, directory: string, tls?: string): Promise<EngineInstance> {
    return new EngineInstance(name, directory, await freePort(), tls);
  }

  /**
   * The one that the tests of this run share; a test that kills it starts it again.
   * @throws Error when `npm run test:stack` did not start it.
   */
  static shared(name: EngineName): EngineInstance {
    const [folder, address] = [process.env['FOOTNOTE_ENGINE_FOLDER'], process.env[ADDRESS[name]]];
    const port = /:(\d+)(?:\/|$)/.exec(address?.replace(/^.*@/, '') ?? '')?.[1];
    if (!folder || !port) throw new Error(`FOOTNOTE_ENGINE_FOLDER and ${ADDRESS[name]} are needed`);
    return new EngineInstance(name, join(folder, name), Number(port));
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
    if (this.tls !== undefined) words.push('--tls', this.tls);
    const { stdout } = await promisify(execFile)(script, words, { timeout: 180_000 });
    return stdout;
  }
}
