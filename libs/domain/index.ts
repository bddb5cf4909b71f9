export {
  addressDecider,
  addressStreams,
  type AddressCommand,
  type AddressState,
} from './address/address.decider.js';
export {
  fingerprintKeyDecider,
  fingerprintKeyStreams,
  type FingerprintKeyState,
  type MakeFingerprintKey,
} from './address/fingerprint-key.decider.js';
export {
  answerDecider,
  answerStreams,
  type AnswerCommand,
  type AnswerState,
  type GiveAnswer,
} from './answer/answer.decider.js';
export {
  apiKeyDecider,
  apiKeyStreams,
  hourOfUse,
  type ApiKeyCommand,
  type ApiKeyState,
  type IssueApiKey,
  type RevokeApiKey,
} from './api-key/api-key.decider.js';
export { checkDomain, type DomainDeclarations } from './completeness.js';
export {
  conversationDecider,
  conversationStreams,
  MAX_DOCUMENTS,
  MAX_TURNS,
  type ConversationCommand,
  type ConversationState,
  type OpenConversation,
} from './conversation/conversation.decider.js';
export {
  generationDecider,
  generationStreams,
  isDropped,
  type DropGeneration,
  type DropReason,
  type GenerationCommand,
  type GenerationState,
} from './generation/generation.decider.js';
export {
  idempotencyKeyDecider,
  idempotencyKeyStreams,
  type IdempotencyKeyCommand,
  type IdempotencyKeyState,
  type UseIdempotencyKey,
} from './idempotency-key/idempotency-key.decider.js';
export {
  invitationDecider,
  invitationStreams,
  type InvitationCommand,
  type InvitationState,
} from './invitation/invitation.decider.js';
export { hasEnded, QUEUED_JOB, reportJob, type JobReport } from './job/job-report.js';
export { MAX_TIMELINE } from './job/job-timeline.js';
export type {
  AdvanceStage,
  CancelJob,
  CompleteJob,
  CompleteUnchanged,
  FailJob,
  FailStage,
  JobCommand,
  JobCounterChanges,
  LoseStage,
  RecordProgress,
  RequestJob,
  StageGeneration,
  StartStage,
} from './job/job.commands.js';
export { jobDecider, jobStreams } from './job/job.decider.js';
export {
  baseOf,
  dueWork,
  isOpen,
  isTerminal,
  leasedWork,
  nextGeneration,
  type DueWork,
} from './job/job.queries.js';
export type {
  CancelledJob,
  CompletedJob,
  FailedJob,
  JobBase,
  JobCounters,
  JobState,
  JobTerms,
  OpenJob,
  StagedGeneration,
} from './job/job.state.js';
export { openJob, type AcceptedSync } from './job/open-job.js';
export {
  logDecider,
  logStreams,
  type CreateLog,
  type LogCommand,
  type LogState,
} from './log/log.decider.js';
export {
  membersDecider,
  membersStreams,
  type MembersCommand,
  type MembersState,
} from './members/members.decider.js';
export {
  nextEpisode,
  packageDecider,
  packageStreams,
  type DropPackage,
  type KnownPackage,
  type PackageCommand,
  type PackageState,
  type UsePackage,
} from './package/package.decider.js';
export {
  packageLinkDecider,
  packageLinkStreams,
  type LinkPackage,
  type PackageLinkCommand,
  type PackageLinkState,
  type UnlinkPackage,
} from './package-link/package-link.decider.js';
export {
  policyDecider,
  policyStreams,
  settingsAfter,
  type PolicyChanges,
  type PolicyCommand,
  type PolicyState,
  type ResetPolicy,
  type UpdatePolicy,
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
  type ConsumeQuota,
  type PlacedQuotaEvent,
  type QuotaCommand,
  type QuotaState,
  type ReturnQuota,
} from './quota/quota.decider.js';
export { nextSyncAt, plannedAt, type SyncSchedule } from './source/next-sync.js';
export {
  type PushHook,
  type QueueSync,
  type RegisteredSource,
  type RegisterSource,
  type RemovedSource,
  type RemoveHook,
  type RemoveSource,
  type RequestSync,
  type SetHook,
  type SourceCommand,
  sourceDecider,
  type SourceState,
  sourceStreams,
  type StartDueSync,
  type UpdateSource,
} from './source/source.decider.js';
export {
  tenantDecider,
  tenantStreams,
  type CompleteErasure,
  type ChangePlan,
  type CreateTenant,
  type Destroyed,
  type RequestErasure,
  type TenantCommand,
  type TenantState,
} from './tenant/tenant.decider.js';
export {
  sessionDecider,
  sessionStreams,
  type SessionCommand,
  type SessionState,
} from './user/session.decider.js';
export {
  userDecider,
  userStreams,
  type RegisterUser,
  type UserCommand,
  type UserState,
} from './user/user.decider.js';
