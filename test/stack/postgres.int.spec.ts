import { silentLogger } from '#platform';
import { openReadModelDataSource } from '#read-model';

import { readModelEngineContract } from '../contracts/read-model-engine.contract.js';
import { describeWhen } from '../support/describe-when.js';

const adminUrl = process.env['DATABASE_ADMIN_URL'];

describeWhen('DATABASE_URL', 'PostgreSQL', (url) => {
  readModelEngineContract('PostgreSQL', async () => {
    const options = {
      kind: 'postgres' as const,
      url,
      logger: silentLogger,
      ...(adminUrl ? { adminUrl } : {}),
    };
    const dataSource = await openReadModelDataSource(options);
    return { dataSource, close: () => dataSource.destroy() };
  });
});
