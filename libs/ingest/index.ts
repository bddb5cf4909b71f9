export { openCredentials, sealCredentials } from './credentials/sealed-credentials.js';
export { createChunker, type Chunker } from './chunk/chunker.js';
export type {
  FetchRequest,
  FetchedDocument,
  Fetcher,
  KnownDocument,
  SourceDocument,
  SourceDocumentKind,
  SourceSnapshot,
} from './fetch/fetcher.port.js';
export type {
  PackageQuery,
  PackageRegistry,
  ResolvedPackage,
} from './packages/package-registry.port.js';
export { packageSourceId } from './packages/package-source-id.js';
export { PdfParser } from './pdf/pdf-parser.js';

export { createFetchers, fetcherFor, type Fetchers } from './fetchers.js';

export { parseFile } from './parse/parse-file.js';
export { isSkipped, type ParsedDocument } from './parse/parsed-document.js';

export { pathBytes } from './git/git-path.js';

export { OutputFolders } from './select/output-folders.js';
export { FileSelector } from './select/file-selector.js';
export { selectFiles } from './select/select-files.js';
