import { Bookkeeping1700000000000 } from './1-bookkeeping.migration.js';
import { LogBinding1700000000001 } from './2-log-binding.migration.js';

/** Migrations in execution order. A released migration is never edited. */
export const MIGRATIONS = [Bookkeeping1700000000000, LogBinding1700000000001];
