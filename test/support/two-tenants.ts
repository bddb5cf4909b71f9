import { askOwner } from '#apps/standalone/admin/socket';
import { newApiKeySecret } from '#platform';

import { ApiClient } from './api-client.js';
import { ServiceProcess, type ServiceOptions } from './service-process.js';
import { tempDir } from './temp-dir.js';

/** A running service with two tenants that must never see each other's anything. */
export class TwoTenantService {
  private constructor(
    private readonly folder: ReturnType<typeof tempDir>,
    private readonly options: ServiceOptions,
    private process: ServiceProcess,
    private readonly otherKey: string,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<TwoTenantService> {
    const folder = tempDir('footnote-e2e-');
    const options = { dataDir: `${folder.path}/data`, key: newApiKeySecret().secret, environment };
    const process = await ServiceProcess.start(options);
    try {
      const created = (await askOwner(options.dataDir, 'create-tenant', { name: 'Second' }, 30_000)) as { key: string };
      return new TwoTenantService(folder, options, process, created.key);
    } catch (error) {
      await process.kill();
      throw error;
    }
  }

  /** A folder for repositories of the test. */
  get scratch(): string {
    return this.folder.path;
  }

  get dataDir(): string {
    return this.options.dataDir;
  }

  /** The first tenant's key. */
  get key(): string {
    return this.options.key;
  }

  get url(): string {
    return this.process.url;
  }

  get service(): ServiceProcess {
    return this.process;
  }

  get first(): ApiClient {
    return new ApiClient(this.process.url, this.options.key);
  }

  get second(): ApiClient {
    return new ApiClient(this.process.url, this.otherKey);
  }

  /** Kills the process as a power cut would and starts it again on the same data. */
  async crash(): Promise<void> {
    await this.process.kill();
    await this.startAgain();
  }

  /** Asks the process to stop, changes the data folder by `work`, and starts again. */
  async restart(
    work: () => Promise<void> | void = () => undefined,
    environment?: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.stop();
    await work();
    await this.startAgain(environment);
  }

  /** Stops the process; `startAgain` starts it on the same data. Apart, so that a start alone can be timed. */
  async stop(): Promise<void> {
    await this.process.stop();
  }

  /** @param environment in place of the one that it was first started with, for this start alone. */
  async startAgain(environment = this.options.environment): Promise<void> {
    this.process = await ServiceProcess.start({ ...this.options, ...(environment && { environment }) });
  }

  async dispose(): Promise<void> {
    await this.process.kill();
    this.folder.remove();
  }
}
