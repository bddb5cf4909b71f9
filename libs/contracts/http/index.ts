export {
  ChatBody,
  ChatStreamBody,
  PackageMention,
  ChatCitationView,
  ChatResponseView,
  ChatSummaryView,
  ChatTokenView,
  type ChatScope,
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
export { ErrorView, FieldProblemView } from './error.dto.js';
export { JobProgressView, StreamErrorView } from './job-stream.dto.js';
export { JobList, JobView, ListJobsQuery, StageAttemptView } from './job.dto.js';
export { CreateKeyBody, IssuedKeyView, KeyList, KeyView, RevokeKeyQuery } from './key.dto.js';
export { MultiHopResponseView, MultiHopSearchBody, MultiHopSummaryView } from './multi-hop.dto.js';
export {
  AddPackageBody,
  GlobalPackageList,
  GlobalPackageView,
  ListGlobalPackagesQuery,
  PackageLinkList,
  PackageLinkView,
  PackageReleaseView,
  PackageSearchBody,
  PackageSearchQuery,
  PackageSearchResponseView,
  PackageSearchResultView,
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
  MeView,
  MemberList,
  MemberView,
  RegisterBody,
  UpdateMeBody,
  type InvitationStatus,
} from './people.dto.js';
export { BeginSignInQuery } from './openid-connect.dto.js';
export { PushAnswer, PushHookView, type PushStatus } from './push-hook.dto.js';
export {
  PolicyView,
  SourcePrioritiesBody,
  SourcePrioritiesView,
  UpdatePolicyBody,
} from './policy.dto.js';
export {
  ReceiptAnswerView,
  ReceiptGenerationView,
  ReceiptParametersView,
  ReceiptPolicyView,
  ReceiptResultView,
  ReceiptView,
} from './receipt.dto.js';
export {
  CitationView,
  ConflictView,
  EvidenceQualityView,
  NoEvidenceView,
  ScoreContributionView,
  ScoreExplanationView,
  SearchBody,
  SearchQuery,
  SearchResponseView,
  SearchResultView,
  StalenessSummaryView,
} from './search.dto.js';
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
export { EraseMeBody, EraseTenantBody, TenantErasureView } from './tenant.dto.js';
export { isReadOnlyField } from './validation/read-only.js';
export { isBlank, isPlainName, isStorable } from './validation/clean-text.js';
export {
  FairnessView,
  QuotaLimitView,
  QuotaUsageEntry,
  QuotaUsageView,
  QuotaView,
} from './quota.dto.js';
