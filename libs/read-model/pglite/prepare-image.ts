import { silentLogger } from '#platform';

import { openPgliteDataSource } from '../data-source/pglite.data-source.js';
import { dropFolder } from './pglite-folder.js';

/** Makes the folder that first starts copy: initdb and migrations done, no rows. Called by the build. */
export async function prepareImage(directory: string): Promise<void> {
  await dropFolder(directory);
  const dataSource = await openPgliteDataSource({ kind: 'pglite', directory, logger: silentLogger, image: '' });
  // Everything in the files, nothing to replay on the first start.
  await dataSource.query('checkpoint');
  await dataSource.destroy();
}
