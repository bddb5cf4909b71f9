import type { DataSource } from 'typeorm';

import { openPgliteDataSource } from './pglite.data-source.js';
import { openPostgresDataSource } from './postgres.data-source.js';
import type { ReadModelOptions } from './read-model-options.js';

/** Opens the read models on the engine asked for, migrated. Close them by `destroy()`. */
export function openReadModelDataSource(options: ReadModelOptions): Promise<DataSource> {
  return options.kind === 'pglite' ? openPgliteDataSource(options) : openPostgresDataSource(options);
}
