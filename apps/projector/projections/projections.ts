import { apiKeysProjection } from './api-keys.projection.js';
import { conversationsProjection } from './conversations.projection.js';
import { invitationsProjection } from './invitations.projection.js';
import { jobsProjection } from './jobs.projection.js';
import { packageLinksProjection } from './package-links.projection.js';
import { packagesProjection } from './packages.projection.js';
import { policiesProjection } from './policies.projection.js';
import { roverJobsProjection } from './rover-jobs.projection.js';
import { sourceHistoryProjection } from './source-history.projection.js';
import { sourcesProjection } from './sources.projection.js';
import { tenantsProjection } from './tenants.projection.js';
import { usersProjection } from './users.projection.js';

/** The read models that are tables and nothing else; the search index has its own projection. */
export const TABLE_PROJECTIONS = [
  tenantsProjection,
  apiKeysProjection,
  policiesProjection,
  sourcesProjection,
  sourceHistoryProjection,
  jobsProjection,
  packagesProjection,
  packageLinksProjection,
  usersProjection,
  invitationsProjection,
  conversationsProjection,
  roverJobsProjection,
] as const;
