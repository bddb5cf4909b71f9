import type { DataSource } from 'typeorm';

import type { ReadModelOptions } from './read-model-options.js';

/** Opens the read models on the configured engine, migrated. Close them by `destroy()`. */
export async function openReadModelDataSource(options: ReadModelOptions): Promise<DataSource> {
  if (options.kind === 'pglite') {
    const { openPgliteDataSource } = await import('./pglite.data-source.js');
    return openPgliteDataSource(options);
  }
  const { openPostgresDataSource } = await import('./postgres.data-source.js');
  return openPostgresDataSource(options);
}
