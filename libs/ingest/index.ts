export {
  credentialsOrigin,
  type RepositoryCredentials,
} from './credentials/repository-credentials.js';
export { openCredentials, sealCredentials } from './credentials/sealed-credentials.js';
export { createChunker, type Chunker, type ChunkerOptions } from './chunk/chunker.js';
export type {
  FetchRequest,
  FetchedDocument,
  Fetcher,
  KnownDocument,
  SourceDocument,
  SourceDocumentKind,
  SourceSnapshot,
  SourceVersion,
} from './fetch/fetcher.port.js';
export type {
  ArchiveDigest,
  PackageArchive,
  PackageQuery,
  PackageRegistry,
  ResolvedPackage,
} from './packages/package-registry.port.js';
export { packageSourceId } from './packages/package-source-id.js';
export { PdfParser, type ParsedPdf, type PdfParserOptions } from './pdf/pdf-parser.js';
export { isPdf, PDF_HEAD_BYTES } from './pdf/pdf-magic.js';
export { createFetchers, fetcherFor, type Fetchers } from './fetchers.js';
export { parseDocument } from './parse-document.js';
export { parseFile } from './parse/parse-file.js';
export {
  isSkipped,
  type DocumentKind,
  type Mark,
  type PageHeading,
  type ParsedDocument,
  type ParseResult,
} from './parse/parsed-document.js';
export { type SkipReason } from './parse/content-skip.js';
export type { GitRemoteOptions } from './git/git-access.js';
export { pathBytes, spellPath } from './git/git-path.js';
export type { GitEntry } from './git/git-tree.js';
export {
  isBranchName,
  resolveGitHead,
  type GitHead,
  type GitHeadOptions,
  type ResolvedGitHead,
} from './git/resolve-git-head.js';
export {
  openGitSnapshot,
  type GitSnapshot,
  type GitSnapshotOptions,
} from './git/open-git-snapshot.js';
export { parseGitUrl, type GitTransport, type GitUrl } from './git-url/git-url.js';
export type { GitBlob } from './git/read-blobs.js';
export { OutputFolders } from './select/output-folders.js';
export {
  FileSelector,
  type FileDecision,
  type FileSelectorOptions,
  type ListedFile,
} from './select/file-selector.js';
export { selectFiles, type SelectedFiles } from './select/select-files.js';
export { SkipCounter } from './select/skip-counter.js';
export { createGitFetcher, type GitFetcherOptions } from './git/git-fetcher.js';
export { LANGUAGE_QUERIES } from './chunk/queries/index.js';
export { languageOf, type LanguageChoice } from './parse/languages.js';
export { type GitVersion } from './git/git-version.js';
