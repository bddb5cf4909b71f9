import { describe, it } from '@jest/globals';

import { silentLogger } from '#platform';
import { openReadModelDataSource } from '#read-model';

import { readModelEngineContract } from '../contracts/read-model-engine.contract.js';

const url = process.env['DATABASE_URL'];
const adminUrl = process.env['DATABASE_ADMIN_URL'];

if (url) {
  readModelEngineContract('PostgreSQL', async () => {
    const options = { kind: 'postgres' as const, url, logger: silentLogger, ...(adminUrl ? { adminUrl } : {}) };
    const dataSource = await openReadModelDataSource(options);
    return { dataSource, close: () => dataSource.destroy() };
  });
} else {
  describe('read-model engine: PostgreSQL', () => {
    it.todo('runs when DATABASE_URL is set');
  });
}
