import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { silentLogger } from '#platform';
import { listTenants, openReadModelDataSource, type PgliteReadModel, ReadModel } from '#read-model';
import { readModelEngineContract } from '#test/contracts/read-model-engine.contract';
import { openTestReadModel } from '#test/support/read-models';
import { tempDir } from '#test/support/temp-dir';

readModelEngineContract('PGlite', async () => {
  const opened = await openTestReadModel();
  return { dataSource: opened.readModel.dataSource, close: () => opened.close() };
});

describe('the embedded read models', () => {
  it('drop a folder that does not open, start again and log it', async () => {
    const folder = tempDir();
    const directory = join(folder.path, 'read-model');
    const warnings: string[] = [];
    const logger = {
      ...silentLogger,
      warn: (_: object, message: string) => void warnings.push(message),
    };
    const options: PgliteReadModel = { kind: 'pglite', directory, logger };
    await (await openReadModelDataSource(options)).destroy();
    writeFileSync(join(directory, 'PG_VERSION'), '9.6\n');
    for (const name of readdirSync(join(directory, 'global')))
      writeFileSync(join(directory, 'global', name), 'rotten');

    const reopened = await openReadModelDataSource(options);
    expect(await new ReadModel(reopened).asOf('tenants', listTenants)).toEqual({
      rows: [],
      position: null,
    });
    expect(warnings).toEqual(['read models: the folder cannot be opened; rebuilding from the log']);
    await reopened.destroy();
    folder.remove();
  });

  it('reject a caller that waits too long with a clear error, and serve the next', async () => {
    const folder = tempDir();
    const directory = join(folder.path, 'read-model');
    const dataSource = await openReadModelDataSource({
      kind: 'pglite',
      directory,
      logger: silentLogger,
      waitTimeoutMs: 50,
    });
    const release = Promise.withResolvers<void>();
    const inside = Promise.withResolvers<void>();
    const holder = dataSource.transaction(async () => {
      inside.resolve();
      await release.promise;
    });
    await inside.promise;
    await expect(new ReadModel(dataSource).asOf('tenants', listTenants)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
    release.resolve();
    await holder;
    expect((await new ReadModel(dataSource).asOf('tenants', listTenants)).rows).toEqual([]);
    await dataSource.destroy();
    folder.remove();
  });
});
