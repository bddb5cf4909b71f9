import type { KindDocument, ManifestDocument, SourceDefinition } from '#contracts';
import type { Config } from '#platform';

import type { RepositoryCredentials } from '../credentials/repository-credentials.js';

/**
 * Format in which a document is read; it selects the parser. A `file` is cited by its lines. A
 * `page` is Markdown, cited by fragments. `html`, `openapi` (one part of a specification) and `pdf`
 * become pages or chunks of their own.
 */
export type SourceDocumentKind = KindDocument | 'page';

/** A document as its source lists it, before it is read. */
export interface SourceDocument {
  /** Names it within the source: a path or a URL. */
  readonly path: string;
  readonly kind: SourceDocumentKind;
  /**
   * Tells a change without reading: a content hash, or what stands for one where the document comes
   * from.
   */
  readonly version: string;
  /** Validators of the HTTP answer it came with, for the next fetch. */
  readonly etag?: string;
  readonly last_modified?: string;
  /** Bytes; null where the source does not say before the document is read. */
  readonly size: number | null;
  /** The patterns ask for this very document: it is read whatever it holds. */
  readonly named?: true;
  /**
   * It could not be had this time, and stands as it was before. It does so for one sync: what is
   * known to be missed and cannot be had again is listed no more.
   */
  readonly missed?: true;
}

/** A document as it was read: byte for byte what the source has. */
export interface FetchedDocument extends Pick<SourceDocument, 'path' | 'kind' | 'named'> {
  readonly bytes: Uint8Array;
  /** The encoding that the server named, as it named it. */
  readonly charset?: string;
}

/** A document of the generation before, as far as a fetcher can use it to ask for less. */
export type KnownDocument = Pick<
  ManifestDocument,
  'path' | 'version' | 'etag' | 'last_modified' | 'missed'
>;

export interface FetchRequest {
  /**
   * Whose source it is: credentials of the operator are for the tenants that the operator names.
   */
  readonly tenantId: string;
  readonly definition: SourceDefinition;
  /** The source's own, which are for its own host alone. Never to be shown, logged or kept. */
  readonly credentials?: RepositoryCredentials;
  /** Scratch folder of this source alone, kept between syncs on this machine and disposable. */
  readonly directory: string;
  /**
   * Hash over what decides, apart from the source, what is made of it: what a fetcher keeps of its
   * own making holds for one.
   */
  readonly recipe: string;
  readonly limits: {
    /** Documents larger than this (bytes) are left out and counted. */
    readonly maxFileBytes: number;
    /** Most bytes of all documents together, and about what the source may take in `directory`. */
    readonly maxSourceBytes: number;
    /**
     * Most documents that the source may list, whatever its definition selects of them: one more
     * fails for good.
     */
    readonly maxSourceFiles: number;
  };
  readonly network: Config['network'];
  readonly signal: AbortSignal;
  /**
   * A transfer that stays slower than that for so long is ended, and fails so that it is tried
   * again.
   */
  readonly slowTransfer?: { readonly bytesPerSecond: number; readonly seconds: number } | undefined;
  /** Longest that one exchange with the source may take, milliseconds. */
  readonly timeoutMs: number;
  /** Told what the fetcher is at, in words for people, a few times a second at most. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Where the documents of one type of source come from. What a person should read is thrown as a
 * StageFailure, retryable where trying again may help; once the signal is aborted, its reason is
 * thrown.
 */
export interface Fetcher {
  /** Asks where the source stands, without reading any of it. */
  resolve(request: FetchRequest): Promise<SourceVersion>;
}

export interface SourceVersion {
  /** The same as long as nothing has changed; null where that shows in the documents alone. */
  readonly ref: string | null;
  /**
   * Lists the documents. The source may have moved on since it was asked: the snapshot says what it
   * is of.
   * @param known what the generation before has and can keep; empty when everything is to be read
   * anew.
   */
  open(known: readonly KnownDocument[]): Promise<SourceSnapshot>;
}

/** The documents of one version of a source, of those that its definition selects. */
export interface SourceSnapshot {
  /** What citations and jobs name as `version_ref`. */
  readonly ref: string;
  /** In path order, no path twice. */
  readonly documents: readonly SourceDocument[];
  /**
   * How many documents were left out before reading, in sum and by reason: `files_skipped` and its
   * parts, and `files_not_selected` by the patterns.
   */
  readonly skipped: Readonly<Record<string, number>>;
  /** What else the job should tell of the fetch, by name. */
  readonly details?: Readonly<Record<string, number>>;
  /**
   * Streams any documents of the snapshot, known ones too, in the order asked, at the consumer's
   * pace. Stop early and the reading ends.
   */
  read(documents: readonly SourceDocument[]): AsyncIterable<FetchedDocument>;
  /** Ends every reading. What lies in the scratch folder stays for the next sync. */
  close(): Promise<void>;
}
