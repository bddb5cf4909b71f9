/** The Postgres schema of the read models; it can be rebuilt from the log after it was dropped. */
export const SCHEMA = 'read_model';

/**
 * Reads under row-level security: it sees the rows of the tenant named in `app.tenant`, and none
 * without a name.
 */
export const APP_ROLE = 'footnote_app';

/** Owns the tables and writes the rows of every tenant. */
export const PROJECTOR_ROLE = 'footnote_projector';

/** The transaction-local setting that names the tenant. */
export const TENANT_SETTING = 'app.tenant';
