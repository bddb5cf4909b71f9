import { openReadModelDataSource, ReadModel } from '#read-model';
import { silentLogger } from '#platform';

import { tempDir } from './temp-dir.js';

/** Read models in a folder of their own, empty. */
export interface TestReadModel {
  readonly readModel: ReadModel;
  readonly directory: string;
  close(): Promise<void>;
}

/** Opens embedded read models for one test file. */
export async function openTestReadModel(): Promise<TestReadModel> {
  const folder = tempDir('footnote-read-model-');
  const directory = `${folder.path}/read-model`;
  const dataSource = await openReadModelDataSource({ kind: 'pglite', directory, logger: silentLogger });
  return {
    readModel: new ReadModel(dataSource),
    directory,
    close: async () => {
      await dataSource.destroy();
      folder.remove();
    },
  };
}
