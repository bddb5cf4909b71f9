export { addressDecider, addressStreams } from './address/address.decider.js';
export { fingerprintKeyDecider, fingerprintKeyStreams } from './address/fingerprint-key.decider.js';
export { answerDecider, answerStreams } from './answer/answer.decider.js';
export {
  apiKeyDecider,
  apiKeyStreams,
  hourOfUse,
  type IssueApiKey,
} from './api-key/api-key.decider.js';
export { checkDomain } from './completeness.js';
export {
  conversationDecider,
  conversationStreams,
  type ConversationCommand,
  type ConversationState,
  type OpenConversation,
} from './conversation/conversation.decider.js';
export {
  generationDecider,
  isDropped,
  generationStreams,
  type DropReason,
} from './generation/generation.decider.js';
export {
  idempotencyKeyDecider,
  idempotencyKeyStreams,
} from './idempotency-key/idempotency-key.decider.js';
export {
  invitationDecider,
  invitationStreams,
  type InvitationState,
} from './invitation/invitation.decider.js';
export { hasEnded, QUEUED_JOB, reportJob, type JobReport } from './job/job-report.js';

export type { JobCommand, JobCounterChanges } from './job/job.commands.js';
export { jobDecider, jobStreams } from './job/job.decider.js';
export { dueWork, isOpen, isTerminal, leasedWork } from './job/job.queries.js';
export type { CompletedJob, JobState, JobTerms, OpenJob } from './job/job.state.js';
export { openJob } from './job/open-job.js';
export {
  type WebhookDeliveriesCommand,
  webhookDeliveriesDecider,
  webhookDeliveriesStreams,
} from './webhook/webhook-deliveries.decider.js';
export {
  webhookDecider,
  webhookStreams,
  type WebhookCommand,
  type WebhookEndpoint,
} from './webhook/webhook.decider.js';
export {
  configurationDecider,
  configurationStreams,
} from './configuration/configuration.decider.js';
export { logDecider, logStreams } from './log/log.decider.js';
export { membersDecider, membersStreams } from './members/members.decider.js';
export {
  nextEpisode,
  packageDecider,
  packageStreams,
  type PackageState,
} from './package/package.decider.js';
export { packageLinkDecider, packageLinkStreams } from './package-link/package-link.decider.js';
export {
  policyDecider,
  policyStreams,
  settingsAfter,
  type PolicyChanges,
  type PolicyCommand,
} from './policy/policy.decider.js';
export { countOf, findConsumption, withoutFuture, withoutOlder } from './quota/consumptions.js';
export {
  refuseOver,
  refuseOverTotal,
  tightest,
  totalUsage,
  usageOf,
} from './quota/quota-windows.js';
export {
  quotaDecider,
  quotaStreams,
  type PlacedQuotaEvent,
  type QuotaState,
} from './quota/quota.decider.js';
export { recordedReadDecider, recordedReadStreams } from './recorded-read/recorded-read.decider.js';
export { refusalDecider, refusalStreams } from './refusal/refusal.decider.js';
export { trailExportDecider, trailExportStreams } from './recorded-read/trail-export.decider.js';
export { roverPlaces } from './rover/rover-places.js';
export {
  DRAFT_ORDINAL,
  roverProgress,
  roverReasonText,
  roverStepDetail,
  roverStepTitle,
} from './rover/rover-report.js';
export type { RoverCommand } from './rover/rover.commands.js';
export { roverDecider, RoverLeaseLost, roverStreams } from './rover/rover.decider.js';
export {
  isOpenRoverJob,
  type OpenRoverJob,
  runningStep,
  type RoverJob,
  type RoverState,
  type RoverStep,
  type StepOutput,
} from './rover/rover.state.js';
export {
  type OperatorCommand,
  operatorDecider,
  operatorStreams,
} from './operator/operator.decider.js';
export { nextSyncAt, plannedAt } from './source/next-sync.js';
export {
  evolveOverview,
  OVERVIEW_EVENTS,
  type OverviewEvent,
  type SourceOverview,
} from './source/source-overview.js';
export {
  type RegisteredSource,
  type RemovedSource,
  type RegisterSource,
  type SourceCommand,
  sourceDecider,
  type SourceState,
  sourceStreams,
} from './source/source.decider.js';
export {
  isHeld,
  tenantDecider,
  tenantStreams,
  underLegalHold,
  type Destroyed,
  type TenantCommand,
  type TenantState,
} from './tenant/tenant.decider.js';
export {
  type AuditCheckpointCommand,
  auditCheckpointDecider,
  type AuditCheckpointState,
  type AuditSigningKey,
  auditCheckpointStreams,
  witnessAnswer,
} from './audit-checkpoint/audit-checkpoint.decider.js';
export { sessionDecider, sessionStreams } from './user/session.decider.js';
export { userDecider, userStreams, type UserState } from './user/user.decider.js';
