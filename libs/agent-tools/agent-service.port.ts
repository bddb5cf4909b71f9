import type { MultiHopResponse, NoEvidence, SearchResponse } from '#contracts';
import type {
  AddPackageBody,
  AuditEventList,
  CodeSearchBody,
  CodeSearchResponseView,
  CreateRoverJobBody,
  CreateSourceBody,
  DefinitionsQuery,
  DefinitionsView,
  JobView,
  ListAuditEventsQuery,
  ListSourcesQuery,
  PackageCodeSearchBody,
  PackageCodeSearchView,
  PackageFileQuery,
  PackageFileView,
  PackageLinkView,
  PackageSearchBody,
  PackageSearchResponseView,
  PackageTreeQuery,
  PackageTreeView,
  ReceiptView,
  ReferencesQuery,
  ReferencesView,
  RoverJobView,
  RoverReceiptView,
  SearchBody,
  SourceContent,
  SourceContentQuery,
  SourceList,
  SourceOutlineQuery,
  SourceOutlineView,
  SourceTreeQuery,
  SourceTreeView,
  SourceView,
  SymbolsQuery,
  SyncAccepted,
} from '#contracts/http/index';

/** An answer, and the receipt that shows its evidence. */
export interface Receipted<Answer> {
  readonly answer: Answer;
  readonly receiptId: string | null;
}

/** The answer to a replayed search. */
export interface ReplayedSearch {
  readonly answer:
    | SearchResponse
    | MultiHopResponse
    | NoEvidence
    | CodeSearchResponseView
    | DefinitionsView
    | ReferencesView;
  /** True if it equals the recorded one. */
  readonly matches: boolean;
}

/** A file of a version as citations name it. */
export interface FileVersion {
  readonly path: string;
  readonly version_ref: string;
}

/**
 * Returns the calls for one call of a tool.
 * @param ended aborts once nobody waits for the answer. Reads end then; changes are completed.
 */
export type ServiceFor = (ended?: AbortSignal) => AgentService;

/**
 * The calls of the API that tools use, on behalf of one caller. Every call throws FootnoteError
 * with a code of the error catalogue.
 */
export interface AgentService {
  search(request: SearchBody): Promise<Receipted<SearchResponse | NoEvidence>>;
  searchCode(request: CodeSearchBody): Promise<Receipted<CodeSearchResponseView>>;
  symbols(request: SymbolsQuery): Promise<Receipted<DefinitionsView>>;
  definitions(request: DefinitionsQuery): Promise<Receipted<DefinitionsView>>;
  references(request: ReferencesQuery): Promise<Receipted<ReferencesView>>;
  outline(sourceId: string, wanted: SourceOutlineQuery): Promise<SourceOutlineView>;
  listSources(page: ListSourcesQuery): Promise<SourceList>;
  readContent(sourceId: string, wanted: SourceContentQuery): Promise<SourceContent>;
  /** Returns the text of a file of a kept version. */
  readText(sourceId: string, wanted: FileVersion): Promise<string>;
  listFiles(sourceId: string, wanted: SourceTreeQuery): Promise<SourceTreeView>;
  searchPackage(
    request: PackageSearchBody,
  ): Promise<Receipted<PackageSearchResponseView | NoEvidence>>;
  searchPackageCode(request: PackageCodeSearchBody): Promise<Receipted<PackageCodeSearchView>>;
  /** Returns lines of a file of one release; `format` must be `json`. */
  readPackageFile(wanted: PackageFileQuery): Promise<PackageFileView>;
  listPackageFiles(wanted: PackageTreeQuery): Promise<PackageTreeView>;
  createRoverJob(request: CreateRoverJobBody): Promise<RoverJobView>;
  getRoverJob(jobId: string): Promise<RoverJobView>;
  cancelRoverJob(jobId: string): Promise<RoverJobView>;
  registerSource(request: CreateSourceBody): Promise<SourceView>;
  requestSync(sourceId: string): Promise<SyncAccepted>;
  getJob(jobId: string): Promise<JobView>;
  cancelJob(jobId: string): Promise<JobView>;
  addPackage(request: AddPackageBody): Promise<PackageLinkView>;
  listAuditEvents(filter: ListAuditEventsQuery): Promise<AuditEventList>;
  getReceipt(receiptId: string): Promise<ReceiptView | RoverReceiptView>;
  replay(receiptId: string): Promise<ReplayedSearch>;
}
