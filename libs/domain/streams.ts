import type {
  ApiKeyEvent,
  GenerationEvent,
  JobEvent,
  LogEvent,
  PolicyEvent,
  QuotaEvent,
  SourceEvent,
  TenantEvent,
} from '#contracts';

import type { ApiKeyCommand } from './api-key/api-key.commands.js';
import { apiKeyDecider } from './api-key/api-key.decider.js';
import type { GenerationCommand } from './generation/generation.commands.js';
import { generationDecider } from './generation/generation.decider.js';
import type { JobCommand } from './job/job.commands.js';
import { jobDecider } from './job/job.decider.js';
import type { LogCommand } from './log/log.commands.js';
import { logDecider } from './log/log.decider.js';
import type { PolicyCommand } from './policy/policy.commands.js';
import { policyDecider } from './policy/policy.decider.js';
import type { QuotaCommand } from './quota/quota.commands.js';
import { quotaDecider } from './quota/quota.decider.js';
import type { SourceCommand } from './source/source.commands.js';
import { sourceDecider } from './source/source.decider.js';
import type { TenantCommand } from './tenant/tenant.commands.js';
import { tenantDecider } from './tenant/tenant.decider.js';

/**
 * A kind of stream: its decider and every command and event that it knows. The tables are records, so that the compiler
 * refuses one that misses a type or names one that does not exist.
 */
interface StreamKind<Command extends { type: string }, Event extends { type: string }> {
  readonly commands: Readonly<Record<Command['type'], true>>;
  readonly events: Readonly<Record<Event['type'], true>>;
  readonly decider: object;
}

const source: StreamKind<SourceCommand, SourceEvent> = {
  decider: sourceDecider,
  commands: { RegisterSource: true, UpdateSource: true, RequestSync: true, RemoveSource: true },
  events: { SourceRegistered: true, SourceUpdated: true, SourceSyncRequested: true, SourceRemoved: true },
};

const job: StreamKind<JobCommand, JobEvent> = {
  decider: jobDecider,
  commands: {
    RequestJob: true,
    StartStage: true,
    RecordProgress: true,
    AdvanceStage: true,
    StageGeneration: true,
    CompleteUnchanged: true,
    FailStage: true,
    LoseStage: true,
    CompleteJob: true,
    FailJob: true,
    CancelJob: true,
  },
  events: {
    JobRequested: true,
    JobStageStarted: true,
    JobProgressed: true,
    JobStageAdvanced: true,
    JobStageFailed: true,
    JobStageLost: true,
    JobStaged: true,
    JobCompleted: true,
    JobFailed: true,
    JobCancelled: true,
  },
};

const generation: StreamKind<GenerationCommand, GenerationEvent> = {
  decider: generationDecider,
  commands: { DropGeneration: true },
  events: { GenerationDropped: true },
};

const policy: StreamKind<PolicyCommand, PolicyEvent> = {
  decider: policyDecider,
  commands: { UpdatePolicy: true, ResetPolicy: true },
  events: { PolicyUpdated: true, PolicyReset: true },
};

const quota: StreamKind<QuotaCommand, QuotaEvent> = {
  decider: quotaDecider,
  commands: { ConsumeQuota: true, ReturnQuota: true },
  events: { QuotaConsumed: true, ReceiptContinued: true, QuotaReturned: true },
};

const apikey: StreamKind<ApiKeyCommand, ApiKeyEvent> = {
  decider: apiKeyDecider,
  commands: { IssueApiKey: true, RevokeApiKey: true },
  events: { ApiKeyIssued: true, ApiKeyRevoked: true },
};

const tenant: StreamKind<TenantCommand, TenantEvent> = {
  decider: tenantDecider,
  commands: { CreateTenant: true },
  events: { TenantCreated: true },
};

const log: StreamKind<LogCommand, LogEvent> = {
  decider: logDecider,
  commands: { CreateLog: true },
  events: { LogCreated: true },
};

/** Every kind of stream by its category, the part of a stream's name before the first dash. */
export const STREAM_KINDS = Object.freeze({ source, job, generation, policy, quota, apikey, tenant, log });
