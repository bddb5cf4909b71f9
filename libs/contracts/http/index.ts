export { AsOfPageQuery, AsOfQuery } from './as-of.dto.js';
export {
  type AnalyticsBucket,
  AnalyticsQuery,
  JobsAnalyticsView,
  NoEvidenceAnalyticsView,
  SearchesAnalyticsView,
  StaleHitsAnalyticsView,
  UsageAnalyticsView,
} from './analytics.dto.js';
export {
  AuditEventList,
  AuditEventView,
  type AuditFilterQuery,
  ListAuditEventsQuery,
} from './audit.dto.js';
export { ExportTrailQuery, type TrailFormat } from './audit-export.dto.js';
export {
  CreateWebhookBody,
  CreatedWebhookView,
  ListDeliveriesQuery,
  RotatedSecretView,
  UpdateWebhookBody,
  WebhookDeliveryList,
  type WebhookDeliveryView,
  WebhookEventView,
  WebhookList,
  WebhookView,
} from './webhook.dto.js';
export {
  AuditConsistencyQuery,
  AuditConsistencyView,
  AuditKeyList,
  AuditProofQuery,
  AuditProofView,
  CheckpointList,
  CheckpointVerification,
  CheckpointView,
  ListCheckpointsQuery,
  TrailBreakView,
  TrailVerification,
  VerifyCheckpointBody,
  VerifyTrailQuery,
  WitnessedView,
} from './audit-proof.dto.js';
export {
  ChatBody,
  ChatStreamBody,
  PackageMention,
  ChatCitationView,
  ChatResponseView,
  ChatSummaryView,
  ChatTokenView,
} from './chat.dto.js';
export {
  ConversationDetailView,
  ConversationDocumentView,
  ConversationList,
  ConversationMessageView,
  ConversationView,
  CreateConversationBody,
  UpdateConversationBody,
  UploadedPdfView,
  UploadPdfForm,
} from './conversation.dto.js';
export {
  CodeFileView,
  CodeLineView,
  CodeSourceView,
  CodeSearchBody,
  CodeSearchEndView,
  CodeSearchQuery,
  CodeSearchResponseView,
  type IncompleteReason,
  type LeftOutView,
  MOST_COLLECTED_CODE_LINES,
} from './code-search.dto.js';
export {
  DefinitionsQuery,
  DefinitionsView,
  type DefinitionView,
  type Precision,
  type PrecisionCounts,
  ReferencesQuery,
  ReferencesView,
  type ReferenceView,
  SymbolsQuery,
} from './code-navigation.dto.js';
export { ErrorView } from './error.dto.js';
export { FeedEventPage, FeedEventView, ListFeedEventsQuery } from './feed.dto.js';
export {
  HistoryEntryView,
  HistoryList,
  HistoryQuery,
  SourceHistoryEntryView,
  SourceHistoryList,
} from './history.dto.js';
export { JobProgressView, StreamErrorView } from './job-stream.dto.js';
export { McpQuery } from './mcp.dto.js';
export { JobList, JobView, ListJobsQuery } from './job.dto.js';
export { CreateKeyBody, IssuedKeyView, KeyList, KeyView, RevokeKeyQuery } from './key.dto.js';
export { MultiHopResponseView, MultiHopSearchBody } from './multi-hop.dto.js';
export {
  PackageCodeSearchBody,
  PackageCodeSearchEndView,
  PackageCodeSearchQuery,
  PackageCodeSearchView,
  PackageFileQuery,
  PackageFileView,
  PackageTreeQuery,
  PackageTreeView,
} from './package-code.dto.js';
export {
  PackageDefinitionsQuery,
  PackageDefinitionsView,
  PackageReferencesQuery,
  PackageReferencesView,
  PackageSymbolsQuery,
} from './package-navigation.dto.js';
export {
  AddPackageBody,
  GlobalPackageList,
  GlobalPackageView,
  ListGlobalPackagesQuery,
  PackageLinkList,
  PackageLinkView,
  PackageReleaseFields,
  PackageReleaseView,
  PackageSearchBody,
  PackageSearchQuery,
  PackageSearchResponseView,
} from './package.dto.js';
export { PageQuery } from './page.dto.js';
export {
  AcceptInvitationBody,
  ChangePasswordBody,
  ChangeRoleBody,
  InvitationList,
  InvitationView,
  InviteBody,
  IssuedInvitationView,
  LoginBody,
  SignInMethodsView,
  MeView,
  MemberList,
  MemberView,
  RegisterBody,
  UpdateMeBody,
  type InvitationStatus,
} from './people.dto.js';
export { BeginSignInQuery } from './openid-connect.dto.js';
export { PushAnswer, PushHookView } from './push-hook.dto.js';
export {
  ScipIndexList,
  type ScipIndexView,
  type ScipLeftOut,
  ScipRemovalQuery,
  ScipUploadQuery,
  ScipUploadView,
} from './scip.dto.js';
export { PolicyView, UpdatePolicyBody } from './policy.dto.js';
export {
  PolicyDiffQuery,
  PolicyDiffView,
  PolicyRollbackView,
  RollbackPolicyBody,
} from './policy-history.dto.js';
export {
  PolicySimulationView,
  SimulatePolicyBody,
  type SimulatedEffect,
} from './policy-simulation.dto.js';
export {
  ReceiptAnswerView,
  ReceiptCodeView,
  ReceiptResultView,
  ReceiptView,
} from './receipt.dto.js';
export {
  CreateRoverJobBody,
  ListRoverJobsQuery,
  RoverJobList,
  RoverJobView,
  RoverReadView,
  RoverReceiptView,
  RoverStatusView,
  RoverStepView,
  RoverTokenView,
  RoverVerificationView,
} from './rover.dto.js';
export { NoEvidenceView, SearchBody, SearchQuery, SearchResponseView } from './search.dto.js';
export {
  type DiffChange,
  type FileDiffView,
  SourceDiffQuery,
  SourceDiffView,
  type SymbolDiffView,
} from './source-diff.dto.js';
export {
  CreateSourceBody,
  ListSourcesQuery,
  SourceContent,
  SourceContentQuery,
  SourceList,
  SourceView,
  SyncAccepted,
  UpdateSourceBody,
  UploadedSource,
  UploadSourceForm,
} from './source.dto.js';
export {
  type FileDifference,
  type OutlineEntryView,
  SourceFileQuery,
  SourceFileView,
  SourceOutlineQuery,
  SourceOutlineView,
  SourceTreeQuery,
  SourceTreeView,
  type SourceVersionQuery,
  type TreeEntryView,
} from './source-files.dto.js';
export { ChangeLegalHoldBody, LegalHoldView } from './legal-hold.dto.js';
export { EraseMeBody, EraseTenantBody, TenantErasureView } from './tenant.dto.js';
export { isReadOnlyField } from './validation/read-only.js';

export { QuotaUsageEntry, QuotaUsageView, QuotaView } from './quota.dto.js';
