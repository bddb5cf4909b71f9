export { API_VERSION } from './api-version.js';
export {
  MOST_PASSAGES,
  MOST_RESULTS,
  MOST_ROVER_REPOS,
  MOST_TOP_K,
} from './content/answer-limits.js';
export {
  MOST_AUDIENCES,
  TENANT_AUDIENCE,
  statedAudience,
  type Audience,
} from './content/audience.js';
export {
  type Chunk,
  type ChunkDefinition,
  type ChunkMember,
  type DefinitionKind,
  type DefinitionPlace,
  memberDefinition,
  parentOf,
  type ChunkType,
  type SourceChunk,
} from './content/chunk.js';
export type { Manifest, ManifestDocument, ManifestPack } from './content/manifest.js';
export { GIT_HOST_KINDS, type GitHostKind } from './content/git-host.js';
export {
  ECOSYSTEMS,
  packageOfSource,
  packageSourceName,
  packageUrl,
  type Ecosystem,
  type PackageVersion,
} from './content/package-version.js';
export {
  MAX_DEFINITION_BYTES,
  definitionBytes,
  packageDefinition,
  serviceDocsDefinition,
  registeredType,
  shownDefinition,
  sourceDefinitionSchema,
  type SourceDefinition,
  type Upload,
} from './content/source-definition.js';
export {
  keepScipUploads,
  MOST_SCIP_NAMES,
  SCIP_NAME,
  scipBytes,
  usedScipUploads,
  type ScipUpload,
  withoutScipNames,
} from './content/scip-upload.js';
export {
  priorityKind,
  sourceKind,
  type DefinedType,
  type DocsFormat,
  type KindDocument,
  type PriorityKind,
  SOURCE_TYPES,
  type SourceKind,
  type SourceType,
} from './content/source-kind.js';
export {
  type JobStatus,
  type PackageStatus,
  SOURCE_STATUSES,
  type SourceStatus,
} from './content/statuses.js';
export type { Decider } from './decider.js';
export { ERROR_CATALOGUE, type ErrorCode } from './errors/catalogue.js';
export { FootnoteError, isFootnoteError, type FieldProblem } from './errors/footnote-error.js';
export { packageFailure, packageProblemOf, type PackageProblem } from './errors/package-problem.js';
export { MAX_PROBLEMS, validationFailed } from './errors/validation-failed.js';
export { nearestName } from './nearest-name.js';
export { StageFailure, isStageFailure, type FailureDetails } from './errors/stage-failure.js';
export type { AddressEvent, FingerprintKeyEvent } from './events/address.events.js';
export { KEY_SCOPES, type ApiKeyEvent, type KeyScope } from './events/api-key.events.js';
export { asyncApiDocument } from './events/asyncapi.js';
export type { AuditCheckpointEvent } from './events/audit-checkpoint.events.js';
export { toCloudEvent, toTenantCloudEvent, type CloudEvent } from './events/cloud-event.js';
export {
  EVENT_DEFINITIONS,
  eventDefinition,
  type DomainEvent,
  type DomainEventType,
} from './events/catalogue.js';
export { defineEvent, type EventDefinition, type JsonObject } from './events/define-event.js';
export { eventSchema } from './events/event-schemas.js';
export { liftEvent } from './events/lift-event.js';
export { type GenerationEvent } from './events/generation.events.js';
export type { IdempotencyKeyEvent } from './events/idempotency-key.events.js';
export { JOB_EVENT_TYPES, type JobEvent } from './events/job.events.js';
export type { ConfigurationEvent } from './events/configuration.events.js';
export type { LogEvent } from './events/log.events.js';
export {
  type PackageAbout,
  type PackageDropReason,
  type PackageEvent,
} from './events/package.events.js';
export type { PackageLinkEvent } from './events/package-link.events.js';
export { type InvitationEvent, type MembersEvent, type Role } from './events/members.events.js';
export {
  UNDELIVERED_TYPES,
  type WebhookAttempt,
  type WebhookDeliveryEvent,
  type WebhookDisabledReason,
  type WebhookEvent,
  type WebhookFailure,
} from './events/webhook.events.js';
export { POLICY_DEFAULTS, type PolicyEvent, type PolicySettings } from './events/policy.events.js';
export type { ConversationEvent } from './events/conversation.events.js';
export { type AnswerEvent, type AnswerOutcome } from './events/answer.events.js';
export { QUOTA_METRICS, type QuotaEvent, type QuotaMetric } from './events/quota.events.js';
export {
  METRIC_WINDOWS,
  PLAN_METRICS,
  QUOTA_WINDOWS,
  STANDARD_LIMITS,
  limitsOf,
  type PlanMetric,
  type QuotaLimit,
  type QuotaPlan,
  type QuotaUsage,
  type RateLimit,
} from './quota/quota-plan.js';
export {
  RECEIPT_EVENT_BYTES,
  type Receipt,
  type ReceiptParameters,
  type ReceiptResults,
  type ReceiptCode,
} from './events/receipt.js';
export {
  type RecordedReadEvent,
  type TrailExportEnd,
  type TrailExportEvent,
  type TrailExportKind,
} from './events/recorded-read.events.js';
export { MOST_REFUSAL_EVENTS, type RefusalEvent } from './events/refusal.events.js';
export type { OperatorEvent } from './events/operator.events.js';
export { PUBLIC_TENANT, SYSTEM_TENANT, isReservedTenant } from './events/reserved-tenants.js';
export type { HostedRepository } from './rover/hosted-repository.js';
export { ROVER_EVENT_TYPES, type RoverEvent } from './events/rover.events.js';
export type { RoverCitation, RoverRead, RoverResult } from './http/rover.types.js';
export {
  MOST_OPEN_ROVER_JOBS,
  NO_ROVER_USAGE,
  type RoverBudget,
  type RoverMode,
  type RoverPlanned,
  type RoverStepKind,
  type RoverStepReason,
  type RoverStepStatus,
  type RoverUsage,
} from './rover/rover-job.js';
export type { SourceEvent } from './events/source.events.js';
export type {
  Actor,
  EventMetadata,
  HttpContext,
  Position,
  ProposedEvent,
  RecordedEvent,
  StreamName,
} from './events/stored-event.js';
export { type ErasureReason, type TenantEvent } from './events/tenant.events.js';
export { type SessionEvent, type SignInMethod, type UserEvent } from './events/user.events.js';
export { WITHHELD_FIELDS } from './events/withheld-fields.js';
export {
  JOB_MESSAGES,
  STAGE_MESSAGES,
  completedMessage,
  stageDoneMessage,
  stageFailedMessage,
  stageLostMessage,
} from './stages/job-messages.js';
export {
  JOB_STAGES,
  STAGES,
  STAGE_PROGRESS,
  nextStage,
  progressWithin,
  type AttemptOutcome,
  type JobStage,
  type Stage,
  type StageAttempt,
  type StageMessage,
} from './stages/stage.js';
export {
  type BestLines,
  type Citation,
  type Confidence,
  type Conflict,
  type EvidenceQuality,
  type MultiHopResponse,
  type MultiHopSummary,
  type NoEvidence,
  type SearchResponse,
  type SearchResult,
  type StalenessSummary,
} from './http/search.types.js';
