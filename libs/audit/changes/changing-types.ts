import type { DomainEventType } from '#contracts';

/** Event types that can change a field which `AuditFold` shows; the others change none. */
const CHANGING: ReadonlySet<string> = new Set<DomainEventType>([
  'PolicyUpdated',
  'PolicyReset',
  'SourceRegistered',
  'SourceUpdated',
  'SourceHookSet',
  'SourceHookRemoved',
  'SourceRemoved',
  'MemberJoined',
  'MemberRoleChanged',
  'MemberRemoved',
  'TenantCreated',
  'TenantPlanChanged',
  'TenantErasureRequested',
  'TenantErased',
  'UserRegistered',
  'UserRegistrationVoided',
  'UserRenamed',
  'UserPasswordChanged',
  'UserSessionsRevoked',
  'UserClosed',
  'ApiKeyIssued',
  'ApiKeyRevoked',
  'InvitationIssued',
  'InvitationAccepted',
  'InvitationRevoked',
  'ConversationStarted',
  'ConversationRenamed',
  'ConversationDocumentAdded',
  'ConversationDeleted',
  'PackageLinked',
  'PackageUnlinked',
]);

/** Returns whether events of a type can change a field that the trail shows. */
export function changesFields(type: string): boolean {
  return CHANGING.has(type);
}
