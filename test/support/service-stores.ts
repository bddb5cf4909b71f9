import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { openEngines } from '#engines';
import { loadConfig, silentLogger } from '#platform';
import { acrossTenants, ALL_TABLES, SCHEMA } from '#read-model';

import { StartingProcess } from './service-process.js';
import type { TwoTenantService } from './two-tenants.js';

/** The content of the stores of a service, counted or named. */
export interface Inventory {
  /** Hashes of every blob. */
  readonly blobs: readonly string[];
  /** Rows of each read model; without audit records, since every search adds some. */
  readonly rows: Readonly<Record<string, number>>;
  /** Chunks of each generation in the index. */
  readonly chunks: Readonly<Record<string, number>>;
  /** Files of the index and its segments; on servers none are seen. */
  readonly indexFiles: readonly string[];
  readonly keys: number;
}

/**
 * The stores of a service that stands still, on embedded engines or on servers: to look into them,
 * and to lose them.
 */
export class ServiceStores {
  constructor(private readonly service: TwoTenantService) {}

  /** The folder for a copy of the log. */
  copyAt(name: string): string {
    return join(this.service.scratch, `log-${name}`);
  }

  async copyLog(name: string): Promise<void> {
    await this.changeLog((folder) => cpSync(folder, this.copyAt(name), { recursive: true }));
  }

  async putLogBack(name: string): Promise<void> {
    await this.changeLog((folder) => {
      rmSync(folder, { recursive: true, force: true });
      cpSync(this.copyAt(name), folder, { recursive: true });
    });
  }

  async emptyLog(): Promise<void> {
    await this.changeLog((folder) => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
    });
  }

  async loseIndex(): Promise<void> {
    if (this.service.stack) return this.service.stack.loseIndex();
    rmSync(join(this.service.dataDir, 'index'), { recursive: true, force: true });
  }

  async loseReadModels(): Promise<void> {
    if (this.service.stack)
      return void (await this.service.stack.sql(`drop schema ${SCHEMA} cascade`));
    rmSync(join(this.service.dataDir, 'read-models'), { recursive: true, force: true });
  }

  /** @returns a function that restores the keys, in addition to those that were made since */
  async loseKeys(): Promise<() => Promise<void>> {
    const { stack, dataDir, scratch } = this.service;
    if (!stack) {
      const [folder, lost] = [join(dataDir, 'keys'), join(scratch, 'lost-keys')];
      cpSync(folder, lost, { recursive: true });
      rmSync(folder, { recursive: true });
      return async () => cpSync(lost, folder, { recursive: true });
    }
    const rows = await stack.sql(
      `select tenant_id, key_id, encode(wrapped, 'hex') as hex from keyring.data_keys`,
    );
    await stack.sql('drop schema keyring cascade');
    return async () => {
      for (const { tenant_id, key_id, hex } of rows) {
        const values = `'${String(tenant_id)}', '${String(key_id)}', '\\x${String(hex)}'`;
        await stack.sql(
          `insert into keyring.data_keys (tenant_id, key_id, wrapped) values (${values})`,
        );
      }
    };
  }

  async inventory(): Promise<Inventory> {
    const config = loadConfig({ ...this.service.variables });
    const engines = await openEngines(config, silentLogger, ['blobs', 'readModel', 'searchIndex']);
    try {
      const blobs: string[] = [];
      for await (const { hash } of engines.blobs.list()) blobs.push(hash);
      const rows: Record<string, number> = {};
      await acrossTenants(engines.readModel.dataSource, async (manager) => {
        for (const { name } of ALL_TABLES) {
          if (name === 'audit_records') continue;
          const [row] = await manager.query<{ rows: number }[]>(
            `select count(*)::int as rows from ${SCHEMA}.${name}`,
          );
          rows[name] = row?.rows ?? 0;
        }
      });
      const chunks: Record<string, number> = {};
      for (const live of await engines.searchIndex.generations()) {
        let count = 0;
        for await (const id of engines.searchIndex.chunkIds(live)) count += id ? 1 : 0;
        chunks[`${live.sourceId}/${live.generation}`] = count;
      }
      return { blobs, rows, chunks, indexFiles: this.indexFiles(), keys: await this.keys() };
    } finally {
      await engines.close();
    }
  }

  /**
   * Starts every process of the service, or some of them where there are several, each of which
   * must end by itself. @returns the last line of each.
   */
  async refusals(
    withinMs: number,
    onServers = ['api', 'projector', 'pipeline'],
  ): Promise<string[]> {
    const { service } = this;
    const kinds = service.stack ? onServers : ['standalone'];
    return Promise.all(
      kinds.map(async (kind) => {
        const environment = { ...service.stack?.variables };
        const options = {
          dataDir: service.dataDir,
          key: service.key,
          environment,
          entry: `apps/${kind}/main`,
        };
        const starting = new StartingProcess(options);
        try {
          const code = await starting.ended(withinMs);
          if (code !== 1) throw new Error(`The ${kind} ended with ${code}:\n${starting.output}`);
          return starting.output.trim().split('\n').at(-1) ?? '';
        } finally {
          await starting.kill();
        }
      }),
    );
  }

  private async changeLog(work: (folder: string) => void): Promise<void> {
    if (this.service.stack) return this.service.stack.changeLog(work);
    work(join(this.service.dataDir, 'log'));
  }

  private indexFiles(): string[] {
    if (this.service.stack) return [];
    const entries = readdirSync(join(this.service.dataDir, 'index'), {
      recursive: true,
      withFileTypes: true,
    });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  }

  private async keys(): Promise<number> {
    if (!this.service.stack) return readdirSync(join(this.service.dataDir, 'keys')).length;
    const [row] = await this.service.stack.sql(
      'select count(*)::int as keys from keyring.data_keys',
    );
    return Number(row?.['keys']);
  }
}
