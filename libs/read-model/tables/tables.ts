import { apiKeysTable } from './api-keys.table.js';
import { auditRecordsTable } from './audit-records.table.js';
import { conversationsTable } from './conversations.table.js';
import type { ReadTable } from './define-table.js';
import { generationsTable } from './generations.table.js';
import { invitationsTable } from './invitations.table.js';
import { jobsTable } from './jobs.table.js';
import { packageLinksTable } from './package-links.table.js';
import { packagesTable } from './packages.table.js';
import { policiesTable } from './policies.table.js';
import { roverJobsTable } from './rover-jobs.table.js';
import { sourceHistoryTable } from './source-history.table.js';
import { sourcesTable } from './sources.table.js';
import { tenantsTable } from './tenants.table.js';
import { usersTable } from './users.table.js';

/** All read models. */
export const READ_TABLES = {
  tenants: tenantsTable,
  sources: sourcesTable,
  source_history: sourceHistoryTable,
  jobs: jobsTable,
  generations: generationsTable,
  api_keys: apiKeysTable,
  policies: policiesTable,
  packages: packagesTable,
  package_links: packageLinksTable,
  users: usersTable,
  invitations: invitationsTable,
  conversations: conversationsTable,
  audit_records: auditRecordsTable,
  rover_jobs: roverJobsTable,
} as const;

/** Name of a projection: the table that it fills. */
export type ProjectionName = keyof typeof READ_TABLES;

/** The same without their row types, for code that handles all of them alike. */
export const ALL_TABLES = Object.values(READ_TABLES) as unknown as readonly ReadTable[];
