import { silentLogger } from '#platform';

import { dropFolder } from '../pglite/pglite-folder.js';
import { openPgliteDataSource } from './pglite.data-source.js';

/**
 * Creates the folder that first starts copy: initdb and migrations done, no rows. Called by the
 * build. It omits the template databases, which are more than half of the files, because nobody
 * creates another database here.
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
  // Everything is in the files, so the first start has nothing to replay.
  await dataSource.query('checkpoint');
  await dataSource.destroy();
}
