import { silentLogger } from '#platform';

import { dropFolder } from '../pglite/pglite-folder.js';
import { openPgliteDataSource } from './pglite.data-source.js';

/**
 * Makes the folder that first starts copy: initdb and migrations done, no rows. Called by the
 * build. The databases that others would be made from are left out: they are more than half of the
 * files, and nobody makes another database here.
 */
export async function prepareImage(directory: string): Promise<void> {
  await dropFolder(directory);
  const dataSource = await openPgliteDataSource({
    kind: 'pglite',
    directory,
    logger: silentLogger,
    image: '',
  });
  await dataSource.query('update pg_database set datistemplate = false where datistemplate');
  for (const name of ['template0', 'template1']) await dataSource.query(`drop database ${name}`);
  // Everything in the files, nothing to replay on the first start.
  await dataSource.query('checkpoint');
  await dataSource.destroy();
}
