import { openForOperator } from '#apps/standalone/admin/open-for-operator';
import { askOwner } from '#apps/standalone/admin/socket';
import { loadConfig, newApiKeySecret, silentLogger } from '#platform';

import { ApiClient } from './api-client.js';
import { type RunningService, type ServiceOptions, ServiceProcess } from './service-process.js';
import { ON_STACK, StackEnvironment } from './stack/stack-environment.js';
import { type ProcessCounts, StackProcesses } from './stack/stack-processes.js';
import { tempDir } from './temp-dir.js';

const OPERATION_TIMEOUT_MS = 120_000;

/** A running service with two tenants that must never see each other's anything. */
export class TwoTenantService {
  private constructor(
    private readonly folder: ReturnType<typeof tempDir>,
    private readonly options: ServiceOptions,
    private process: RunningService,
    private readonly otherKey: string,
    /** The servers of the service; undefined on embedded engines. */
    readonly stack: StackEnvironment | undefined,
  ) {}

  /**
   * @param counts how many of each process, where the service runs on servers.
   * @param root checkout whose build runs; default: this one.
   */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    counts: ProcessCounts = {},
    root?: string,
  ): Promise<TwoTenantService> {
    const folder = tempDir('footnote-e2e-');
    const stack = ON_STACK ? await StackEnvironment.open() : undefined;
    const options = {
      dataDir: `${folder.path}/data`,
      key: newApiKeySecret().secret,
      environment: { ...stack?.variables, ...environment },
      ...(root !== undefined && { root }),
    };
    let process: RunningService | undefined;
    try {
      process = await startProcesses(options, counts);
      const created = (await operate(options, 'create-tenant', { name: 'Second' })) as {
        key: string;
      };
      return new TwoTenantService(folder, options, process, created.key, stack);
    } catch (error) {
      await process?.kill();
      await stack?.close();
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

  /** The configuration of its processes. */
  get variables(): Readonly<Record<string, string>> {
    return { ...this.options.environment, DATA_DIR: this.options.dataDir };
  }

  /** The first tenant's key. */
  get key(): string {
    return this.options.key;
  }

  /** The second tenant's key. */
  get secondKey(): string {
    return this.otherKey;
  }

  get url(): string {
    return this.process.url;
  }

  get service(): RunningService {
    return this.process;
  }

  /** Its processes one by one. @throws Error on embedded engines, where there is one. */
  get processes(): StackProcesses {
    if (!(this.process instanceof StackProcesses)) throw new Error('The service is one process');
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

  /**
   * Stops the process; `startAgain` starts it on the same data. Apart, so that a start alone can be
   * timed.
   */
  async stop(): Promise<void> {
    await this.process.stop();
  }

  /**
   * @param environment in place of the one that it was first started with, for this start alone.
   */
  async startAgain(environment = this.options.environment): Promise<void> {
    const options = { ...this.options, environment: { ...this.stack?.variables, ...environment } };
    this.process = await startProcesses(options);
  }

  /** Runs an operator's command on the running service. */
  operate(name: string, parameters: object = {}): Promise<unknown> {
    return operate(this.options, name, parameters);
  }

  async dispose(): Promise<void> {
    await this.process.kill();
    await this.stack?.close();
    this.folder.remove();
  }
}

function startProcesses(options: ServiceOptions, counts?: ProcessCounts): Promise<RunningService> {
  return ON_STACK ? StackProcesses.start(options, counts) : ServiceProcess.start(options);
}

/**
 * Asks the owner of the data folder; on servers nobody owns one, and the command works on the
 * engines itself.
 */
async function operate(
  options: ServiceOptions,
  name: string,
  parameters: object,
): Promise<unknown> {
  if (!ON_STACK) return askOwner(options.dataDir, name, parameters, OPERATION_TIMEOUT_MS);
  const config = loadConfig({ ...options.environment, DATA_DIR: `${options.dataDir}-operator` });
  const opened = await openForOperator(config, silentLogger);
  try {
    return await opened.run(name, { ...parameters });
  } finally {
    await opened.close();
  }
}
