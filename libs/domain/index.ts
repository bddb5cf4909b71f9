export type { ApiKeyCommand, IssueApiKey, RevokeApiKey } from './api-key/api-key.commands.js';
export { apiKeyDecider } from './api-key/api-key.decider.js';
export type { ApiKeyState } from './api-key/api-key.state.js';
export { checkDomain, type DomainParts } from './completeness.js';
export type { DropGeneration, DropReason, GenerationCommand } from './generation/generation.commands.js';
export { generationDecider, isDropped } from './generation/generation.decider.js';
export type { GenerationState } from './generation/generation.state.js';
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
export { hasEnded, QUEUED_JOB, reportJob, type JobReport } from './job/job-report.js';
export { jobDecider } from './job/job.decider.js';
export { baseOf, dueWork, isOpen, isTerminal, leasedWork, nextGeneration, type DueWork } from './job/job.queries.js';
export type {
  CancelledJob,
  CompletedJob,
  FailedJob,
  JobBase,
  JobCounters,
  JobState,
  OpenJob,
  StagedGeneration,
} from './job/job.state.js';
export { openJob, type AcceptedSync } from './job/open-job.js';
export type { PolicyChanges, PolicyCommand, ResetPolicy, UpdatePolicy } from './policy/policy.commands.js';
export { policyDecider, settingsAfter } from './policy/policy.decider.js';
export { POLICY_DEFAULTS, type PolicyState } from './policy/policy.state.js';
export type { ConsumeQuota, QuotaCommand, ReturnQuota } from './quota/quota.commands.js';
export { quotaDecider } from './quota/quota.decider.js';
export type { QuotaState } from './quota/quota.state.js';
export type {
  RegisterSource,
  RemoveSource,
  RequestSync,
  SourceCommand,
  UpdateSource,
} from './source/source.commands.js';
export { sourceDecider } from './source/source.decider.js';
export type { RegisteredSource, RemovedSource, SourceState } from './source/source.state.js';
export { STREAM_KINDS } from './streams.js';
export type { CreateTenant, TenantCommand } from './tenant/tenant.commands.js';
export { tenantDecider } from './tenant/tenant.decider.js';
export type { TenantState } from './tenant/tenant.state.js';
