import { silentLogger } from '#platform';
import { openReadModelDataSource, ReadModel, SCHEMA } from '#read-model';
import { migrate } from '#read-model/data-source/migrate';

import { tempDir } from './temp-dir.js';

/** Read models in a folder of their own, empty. */
export interface TestReadModel {
  readonly readModel: ReadModel;
  readonly directory: string;
  /**
   * Empties the read models, which takes a fraction of the time to open others. Stop everything
   * that works on them first.
   */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** Opens embedded read models for one test file. */
export async function openTestReadModel(): Promise<TestReadModel> {
  const folder = tempDir('footnote-read-model-');
  const directory = `${folder.path}/read-model`;
  const dataSource = await openReadModelDataSource({
    kind: 'pglite',
    directory,
    logger: silentLogger,
  });
  let readModel = new ReadModel(dataSource);
  return {
    get readModel() {
      return readModel;
    },
    directory,
    begin: async () => {
      await dataSource.query(`drop schema ${SCHEMA} cascade`);
      await migrate(dataSource, { lock: false });
      readModel = new ReadModel(dataSource);
    },
    close: async () => {
      await dataSource.destroy();
      folder.remove();
    },
  };
}
