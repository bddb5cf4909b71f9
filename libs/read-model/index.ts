export { readModelBinding } from './binding/read-model-binding.js';
export { openReadModelDataSource } from './data-source/open-data-source.js';
export type {
  PgliteReadModel,
  PostgresReadModel,
  ReadModelOptions,
} from './data-source/read-model-options.js';

export { ProjectionProgress } from './progress/projection-progress.js';
export { listActiveApiKeys, listApiKeys } from './queries/api-keys.query.js';
export { listContentGaps, type ContentGapView } from './queries/content-gaps.query.js';
export { listConversations } from './queries/conversations.query.js';
export { decidingSyncs, lastRecords, pastRecords } from './queries/past-records.query.js';
export {
  type GenerationView,
  getGeneration,
  getGenerationOfVersion,
  versionsBeginningWith,
} from './queries/generations.query.js';
export { listInvitations } from './queries/invitations.query.js';
export { getJob, listJobs, getPackageJob } from './queries/jobs.query.js';
export {
  isGenerationDropped,
  liveSourcesAt,
  type LiveSourceThen,
} from './queries/live-sources-at.query.js';
export { listLiveSources } from './queries/live-sources.query.js';
export {
  listKnownLinks,
  linkedPackagesAt,
  listPackageLinks,
  type PackageLinkRow,
} from './queries/package-links.query.js';
export {
  listHeldPackages,
  findPackages,
  getPackage,
  listPackages,
  type PackageRow,
} from './queries/packages.query.js';
export { getPolicy, listChangedPolicies } from './queries/policy.query.js';
export { listPushHooks } from './queries/push-hooks.query.js';
export { listRegisteredSources } from './queries/registered-sources.query.js';
export { ReadModel } from './queries/read-model.js';
export { listScipUploads } from './queries/scip-uploads.query.js';
export { getSource, listSources, sourceView } from './queries/sources.query.js';
export { countOpenRoverJobs, listRoverJobs } from './queries/rover-jobs.query.js';
export { getTenant, listTenants } from './queries/tenants.query.js';
export {
  listMembersOfTenants,
  getMember,
  listMembers,
  membersByIds,
  type SealedMember,
} from './queries/users.query.js';
export { SCHEMA } from './schema.js';
export { apiKeysTable } from './tables/api-keys.table.js';
export { conversationsTable, type ConversationsRow } from './tables/conversations.table.js';
export type { ReadTable, TenantRow } from './tables/define-table.js';
export {
  type GenerationStateName,
  generationsTable,
  type GenerationsRow,
} from './tables/generations.table.js';
export { invitationsTable, type InvitationsRow } from './tables/invitations.table.js';
export { jobsTable, type JobsRow } from './tables/jobs.table.js';
export { packageLinksTable } from './tables/package-links.table.js';
export { packagesTable } from './tables/packages.table.js';
export { policiesTable } from './tables/policies.table.js';
export { roverJobsTable } from './tables/rover-jobs.table.js';
export { sourceHistoryTable, type SourceHistoryRow } from './tables/source-history.table.js';
export { sourcesTable, type SourcesRow } from './tables/sources.table.js';
export { ALL_TABLES, READ_TABLES, type ProjectionName } from './tables/tables.js';
export type { TableSize } from './vacuum/table-sizes.js';
export { tenantsTable } from './tables/tenants.table.js';
export { usersTable } from './tables/users.table.js';
export { acrossTenants, asProjector, withTenant } from './transactions/transactions.js';
export {
  advanceCheckpoint,
  readCheckpoint,
  notifyProgress,
  type Advance,
} from './versions/checkpoints.js';
export { liveVersion } from './versions/live-version.js';
export {
  createVersionTable,
  dropVersionTable,
  showVersion,
  tableShape,
  versionTable,
} from './versions/projection-tables.js';
export {
  deleteRows,
  deleteRowsOfTenant,
  keyText,
  loadRows,
  toRow,
  upsertRows,
  type RowKey,
} from './versions/rows.js';
export {
  type AuditFilter,
  type AuditHead,
  auditHeads,
  type AuditRow,
  getAuditRecord,
  listAuditRecords,
  recordsUntil,
  treeHashes,
} from './queries/audit-records.query.js';
export { lastSyncs } from './queries/last-syncs.query.js';
export { type AuditRecordsRow, auditRecordsTable } from './tables/audit-records.table.js';
