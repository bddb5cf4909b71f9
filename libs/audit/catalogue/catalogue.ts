import type { DomainEventType } from '#contracts';

import type { AuditAction, AuditCategory, AuditOutcome, OcsfClass } from './audit-action.js';

/** Account Change. */
const ACCOUNT = { create: 1, password: 3, disable: 5, remove: 6, other: 99 } as const;
/** Authentication. */
const AUTHENTICATION = { logon: 1, logoff: 2 } as const;
/** Entity Management. */
const ENTITY = { create: 1, update: 3, remove: 4, enroll: 6, unenroll: 7, other: 99 } as const;
/** User Access Management. */
const ACCESS = { assign: 1, revoke: 2 } as const;
/** API Activity. */
const API = { create: 1, read: 2, update: 3, remove: 4, other: 99 } as const;

const account = (of: keyof typeof ACCOUNT): OcsfClass => ocsf(3001, ACCOUNT[of]);
const signIn = (of: keyof typeof AUTHENTICATION): OcsfClass => ocsf(3002, AUTHENTICATION[of]);
const entity = (of: keyof typeof ENTITY): OcsfClass => ocsf(3004, ENTITY[of]);
const access = (of: keyof typeof ACCESS): OcsfClass => ocsf(3005, ACCESS[of]);
const api = (of: keyof typeof API): OcsfClass => ocsf(6003, API[of]);

const SOURCE = 'source:source_id';
const JOB = 'job:job_id';
const JOB_OF_SOURCE = `${JOB} ${SOURCE}`;
const USER = 'user:user_id';
const SESSION = `session:session_id ${USER}`;
const KEY = 'api_key:key_id';
const TENANT = 'tenant:tenant_id';
const PACKAGE = 'package:package_id';
const LINK = `package_link:link_id ${PACKAGE}`;
const INVITATION = 'invitation:invitation_id';
const CONVERSATION = 'conversation:conversation_id';
const ROVER_JOB = 'rover_job:rover_job_id';
const POLICY = 'policy:$stream';
const AUDIT_KEY = 'audit_key:key_id';
const RECEIPT = 'receipt:receipt_id';
const TRAIL_EXPORT = 'audit_export:export_id';
const WEBHOOK = 'webhook:webhook_id';
const ANSWER = 'receipt:$stream';

/**
 * The derived properties of each type of event; the compiler rejects a missing type, and
 * `checkAuditCatalogue` checks the rest. An action never changes once released: people filter by
 * it.
 */
export const AUDIT_CATALOGUE: Readonly<Record<DomainEventType, AuditAction>> = Object.freeze({
  SourceRegistered: act('source.registered', 'data', entity('create'), SOURCE),
  SourceUpdated: act('source.updated', 'data', entity('update'), SOURCE),
  SourceSyncRequested: act('source.sync_requested', 'job', api('create'), `${SOURCE} ${JOB}`),
  SourceSyncQueued: act('source.sync_queued', 'job', api('create'), `${SOURCE} job:after_job_id`),
  SourceHookSet: act('source.hook_set', 'admin', entity('update'), `${SOURCE} push_hook:hook_id`),
  SourceHookRemoved: act('source.hook_removed', 'admin', entity('update'), SOURCE),
  SourceScipUploaded: act('source.scip_uploaded', 'data', entity('update'), SOURCE),
  SourceScipRemoved: act('source.scip_removed', 'data', entity('update'), SOURCE),
  SourceRemoved: act('source.removed', 'data', entity('remove'), SOURCE),

  JobRequested: act('job.requested', 'job', api('create'), JOB_OF_SOURCE),
  JobStageStarted: act('job.stage_started', 'job', api('update'), JOB),
  JobProgressed: act('job.progressed', 'job', api('update'), JOB),
  JobStageAdvanced: act('job.stage_advanced', 'job', api('update'), JOB),
  JobStageFailed: act('job.stage_failed', 'job', api('update'), JOB, 'failure'),
  JobStageLost: act('job.stage_lost', 'job', api('update'), JOB, 'failure'),
  JobStaged: act('job.staged', 'job', api('update'), JOB_OF_SOURCE),
  JobCompleted: act('job.completed', 'job', api('update'), JOB_OF_SOURCE),
  JobFailed: act('job.failed', 'job', api('update'), JOB_OF_SOURCE, 'failure'),
  JobCancelled: act('job.cancelled', 'job', api('update'), JOB_OF_SOURCE),

  GenerationDropped: act('generation.dropped', 'data', entity('remove'), SOURCE),

  PolicyUpdated: act('policy.updated', 'admin', entity('update'), POLICY),
  PolicyReset: act('policy.reset', 'admin', entity('update'), POLICY),

  QuotaConsumed: act('quota.consumed', 'search', api('read'), 'quota:metric receipt:$id'),
  ReceiptContinued: act('receipt.continued', 'search', api('read'), ''),
  ReceiptResultsContinued: act('receipt.results_continued', 'search', api('read'), ''),
  QuotaReturned: act(
    'quota.returned',
    'search',
    api('other'),
    'quota:metric receipt:consumption_id',
  ),

  AnswerGiven: act('answer.given', 'search', api('read'), `receipt:answer_id ${CONVERSATION}`),
  AnswerContinued: act('answer.continued', 'search', api('read'), ANSWER),

  ConversationStarted: act('conversation.started', 'data', entity('create'), CONVERSATION),
  TurnAdded: act('turn.added', 'data', entity('update'), `${CONVERSATION} receipt:receipt_id`),
  TurnContinued: act('turn.continued', 'data', entity('update'), 'conversation:$stream'),
  ConversationRenamed: act('conversation.renamed', 'data', entity('update'), CONVERSATION),
  ConversationDocumentAdded: act(
    'conversation.document_added',
    'data',
    entity('update'),
    `${CONVERSATION} document:document_id`,
  ),
  ConversationDeleted: act(
    'conversation.deleted',
    'data',
    entity('remove'),
    `${CONVERSATION} document:document_ids`,
  ),

  ApiKeyIssued: act('key.issued', 'admin', access('assign'), KEY),
  ApiKeyRevoked: act('key.revoked', 'admin', access('revoke'), KEY),
  ApiKeyUsed: act('key.used', 'access', signIn('logon'), KEY),

  AuditKeyCreated: act('audit_key.created', 'admin', entity('create'), AUDIT_KEY),
  AuditKeyRotated: act('audit_key.rotated', 'admin', entity('update'), AUDIT_KEY),
  CheckpointSigned: act('checkpoint.signed', 'access', entity('create'), AUDIT_KEY),
  CheckpointCosigned: act('checkpoint.cosigned', 'access', entity('update'), TENANT),
  CheckpointRefused: act('checkpoint.refused', 'access', entity('update'), TENANT),
  CheckpointCopied: act('checkpoint.copied', 'access', entity('update'), TENANT),

  WebhookCreated: act('webhook.created', 'admin', entity('create'), WEBHOOK),
  WebhookUpdated: act('webhook.updated', 'admin', entity('update'), WEBHOOK),
  WebhookEnabled: act('webhook.enabled', 'admin', entity('update'), WEBHOOK),
  WebhookDisabled: act('webhook.disabled', 'admin', entity('update'), WEBHOOK),
  WebhookSecretRotated: act('webhook.secret_rotated', 'admin', entity('update'), WEBHOOK),
  WebhookTestRequested: act('webhook.test_requested', 'admin', api('create'), WEBHOOK),
  WebhookRedeliveryRequested: act(
    'webhook.redelivery_requested',
    'admin',
    api('create'),
    `${WEBHOOK} audit_event:event_id`,
  ),
  WebhookDeleted: act('webhook.deleted', 'admin', entity('remove'), WEBHOOK),
  WebhookDelivered: act('webhook.delivered', 'access', api('read'), WEBHOOK),
  WebhookDeliveryFailed: act('webhook.delivery_failed', 'access', api('read'), WEBHOOK, 'failure'),

  TenantCreated: act('tenant.created', 'admin', entity('create'), TENANT),
  TenantPlanChanged: act('tenant.plan_changed', 'admin', entity('update'), TENANT),
  LegalHoldSet: act('legal_hold.set', 'admin', entity('update'), TENANT),
  LegalHoldReleased: act('legal_hold.released', 'admin', entity('update'), TENANT),
  TenantErasureRequested: act('tenant.erasure_requested', 'admin', entity('remove'), TENANT),
  TenantErased: act('tenant.erased', 'admin', entity('remove'), TENANT),

  PackageRegistered: act('package.registered', 'data', entity('create'), `${PACKAGE} ${SOURCE}`),
  PackageDescribed: act('package.described', 'data', entity('update'), PACKAGE),
  PackageUsed: act('package.used', 'data', api('read'), PACKAGE),
  PackageDropped: act('package.dropped', 'data', entity('remove'), `${PACKAGE} ${SOURCE}`),
  PackageRestored: act('package.restored', 'data', entity('create'), `${PACKAGE} ${SOURCE}`),
  PackageLinked: act('package.linked', 'data', entity('enroll'), LINK),
  PackageUnlinked: act('package.unlinked', 'data', entity('unenroll'), LINK),

  MemberJoined: act('member.joined', 'admin', access('assign'), USER),
  MemberRoleChanged: act('member.role_changed', 'admin', access('assign'), USER),
  MemberRemoved: act('member.removed', 'admin', access('revoke'), USER),

  InvitationIssued: act('invitation.issued', 'admin', entity('create'), INVITATION),
  InvitationAccepted: act(
    'invitation.accepted',
    'access',
    entity('update'),
    `${INVITATION} ${USER}`,
  ),
  InvitationRevoked: act('invitation.revoked', 'admin', entity('remove'), INVITATION),

  UserRegistered: act('user.registered', 'access', account('create'), USER),
  UserRegistrationVoided: act(
    'user.registration_voided',
    'access',
    account('other'),
    USER,
    'failure',
  ),
  UserRenamed: act('user.renamed', 'access', account('other'), USER),
  UserPasswordChanged: act('user.password_changed', 'access', account('password'), USER),
  UserSessionsRevoked: act('user.sessions_revoked', 'access', account('other'), USER),
  UserClosed: act('user.closed', 'access', account('remove'), USER),
  SessionStarted: act('session.started', 'access', signIn('logon'), SESSION),
  SessionEnded: act('session.ended', 'access', signIn('logoff'), SESSION),

  AddressReserved: act('address.reserved', 'access', account('other'), USER),
  AddressReleased: act('address.released', 'access', account('other'), USER),
  FingerprintKeyMade: act('fingerprint_key.made', 'admin', entity('create'), ''),
  RoverJobRequested: act('rover_job.requested', 'job', api('create'), ROVER_JOB),
  RoverJobStarted: act('rover_job.started', 'job', api('update'), ROVER_JOB),
  RoverStepStarted: act('rover_job.step_started', 'job', api('update'), ROVER_JOB),
  RoverStepProgressed: act('rover_job.step_progressed', 'job', api('update'), ROVER_JOB),
  RoverLeaseReleased: act('rover_job.lease_released', 'job', api('update'), ROVER_JOB),
  RoverRepositoryAttached: act(
    'rover_job.repository_attached',
    'job',
    api('update'),
    `${ROVER_JOB} ${SOURCE}`,
  ),
  RoverStepCompleted: act('rover_job.step_completed', 'job', api('update'), ROVER_JOB),
  RoverTokensWritten: act('rover_job.tokens_written', 'job', api('update'), ROVER_JOB),
  RoverJobCompleted: act('rover_job.completed', 'job', api('update'), ROVER_JOB),
  RoverAnswerContinued: act('rover_job.answer_continued', 'job', api('update'), ROVER_JOB),
  RoverJobFailed: act('rover_job.failed', 'job', api('update'), ROVER_JOB, 'failure'),
  RoverJobCancelled: act('rover_job.cancelled', 'job', api('update'), ROVER_JOB),

  IdempotencyKeyUsed: act('idempotency_key.used', 'access', api('other'), 'command:command_id'),
  AuditTrailRead: act('audit_trail.read', 'access', api('read'), 'audit_filter:filter_digest'),
  AuditExportStarted: act('audit_export.started', 'access', api('read'), TRAIL_EXPORT),
  AuditExportEnded: act('audit_export.ended', 'access', api('read'), TRAIL_EXPORT),
  RequestsRefused: act(
    'requests.refused',
    'access',
    api('other'),
    `${USER} account:account_digest ${SOURCE}`,
    'failure',
  ),
  ReceiptRead: act('receipt.read', 'access', api('read'), RECEIPT),
  ReceiptReplayed: act('receipt.replayed', 'access', api('read'), RECEIPT),
  KeysListed: act('keys.listed', 'access', api('read'), ''),
  MembersListed: act('members.listed', 'access', api('read'), ''),
  OperatorCommandStarted: act(
    'operator_command.started',
    'admin',
    api('other'),
    `operator_run:run_id ${TENANT}`,
  ),
  OperatorCommandCompleted: act(
    'operator_command.completed',
    'admin',
    api('other'),
    'operator_run:run_id',
  ),
  OperatorCommandFailed: act(
    'operator_command.failed',
    'admin',
    api('other'),
    'operator_run:run_id',
    'failure',
  ),
  ServiceConfigured: act('configuration.changed', 'admin', entity('update'), 'process:process'),
  LogCreated: act('log.created', 'admin', entity('create'), 'log:log_id'),
});

/**
 * The derived properties of a type that this version does not know, from a newer one. With it the
 * trail is complete, also after a return to an earlier version.
 */
export const UNKNOWN_ACTION: AuditAction = Object.freeze(
  act('unknown.recorded', 'data', entity('other'), ''),
);

/** @param targets rules as `type:field`, with spaces between them. */
function act(
  action: string,
  category: AuditCategory,
  ocsfClass: OcsfClass,
  targets: string,
  outcome: AuditOutcome = 'success',
): AuditAction {
  const rules = targets.split(' ').filter((rule) => rule !== '');
  return {
    action,
    category,
    outcome,
    targets: rules.map((rule) => {
      const [type = '', field = ''] = rule.split(':');
      return { type, field };
    }),
    ocsf: ocsfClass,
  };
}

function ocsf(class_uid: OcsfClass['class_uid'], activity_id: number): OcsfClass {
  return { class_uid, activity_id };
}
