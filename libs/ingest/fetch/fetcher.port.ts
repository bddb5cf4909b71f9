import type { KindDocument, ManifestDocument, SourceDefinition } from '#contracts';
import type { Config } from '#platform';

import type { RepositoryCredentials } from '../credentials/repository-credentials.js';

/**
 * Format in which a document is read; it selects the parser. A `file` is cited by its lines. A
 * `page` is Markdown, cited by fragments. `html`, `openapi` (one part of a specification) and `pdf`
 * become pages or chunks of their own.
 */
export type SourceDocumentKind = KindDocument | 'page';

/** Document as its source lists it, before it is read. */
export interface SourceDocument {
  /** Name within the source: a path or a URL. */
  readonly path: string;
  readonly kind: SourceDocumentKind;
  /**
   * Value that changes with the content, known before the read: a content hash or the source's
   * equivalent.
   */
  readonly version: string;
  /** Validators of the document's HTTP response, for the next fetch. */
  readonly etag?: string;
  readonly last_modified?: string;
  /** Bytes; null if the source reports no size before the read. */
  readonly size: number | null;
  /** Set if the patterns name exactly this document; it is read whatever it contains. */
  readonly named?: true;
  /**
   * Set if this sync could not read the document; the previous version remains. This applies to one
   * sync only. A document that is already missed and still not readable is no longer listed.
   */
  readonly missed?: true;
}

/** Document as read, byte for byte the content of the source. */
export interface FetchedDocument extends Pick<SourceDocument, 'path' | 'kind' | 'named'> {
  readonly bytes: Uint8Array;
  /** Encoding in the server's own spelling. */
  readonly charset?: string;
}

/** Document of the previous generation, as far as a fetcher can use it to request less. */
export type KnownDocument = Pick<
  ManifestDocument,
  'path' | 'version' | 'etag' | 'last_modified' | 'missed'
>;

export interface FetchRequest {
  /**
   * Tenant that owns the source. The operator's credentials serve only the tenants that the
   * operator names.
   */
  readonly tenantId: string;
  readonly definition: SourceDefinition;
  /** The source's own credentials, only for its own host. Never show, log or store them. */
  readonly credentials?: RepositoryCredentials;
  /**
   * Scratch folder of this source only. It remains on this machine between syncs and is disposable.
   */
  readonly directory: string;
  /**
   * Hash over everything except the source that determines the output. Data that a fetcher derives
   * and caches is valid for one hash only.
   */
  readonly recipe: string;
  /**
   * Set if no earlier version is known. A fetcher then need not resolve the current one, since
   * nothing is compared with it. Default: false.
   */
  readonly isFirst?: boolean;
  readonly limits: {
    /** Maximum bytes of a document; larger ones are omitted and counted. */
    readonly maxFileBytes: number;
    /** Maximum bytes of all documents together, and the approximate limit of `directory`. */
    readonly maxSourceBytes: number;
    /**
     * Maximum number of documents that the source may list, whatever its definition selects. One
     * more is a permanent failure.
     */
    readonly maxSourceFiles: number;
  };
  readonly network: Config['network'];
  readonly signal: AbortSignal;
  /**
   * Minimum speed. A transfer that stays slower for this time is ended with a retryable failure.
   */
  readonly slowTransfer?: { readonly bytesPerSecond: number; readonly seconds: number } | undefined;
  /** Maximum duration of one exchange with the source, milliseconds. */
  readonly timeoutMs: number;
  /** Receives the fetcher's progress in words for people, a few times a second at most. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Reader of the documents of one kind of source. It throws errors for people as StageFailure,
 * retryable if a retry may help. After an abort it throws the signal's reason.
 */
export interface Fetcher {
  /** Resolves the current version of the source, without reading its content. */
  resolve(request: FetchRequest): Promise<SourceVersion>;
}

export interface SourceVersion {
  /**
   * Value that changes only with the source. Null if only the documents show a change, or if it was
   * not resolved for a first sync.
   */
  readonly ref: string | null;
  /**
   * Lists the documents. The source may have changed since `resolve`; the snapshot names its own
   * version.
   *
   * @param known documents of the previous generation that it can retain; empty if everything must
   * be read again.
   */
  open(known: readonly KnownDocument[]): Promise<SourceSnapshot>;
}

/** Documents of one version of a source, limited to those that its definition selects. */
export interface SourceSnapshot {
  /** Version that citations and jobs show as `version_ref`. */
  readonly ref: string;
  /** Documents in path order, each path once. */
  readonly documents: readonly SourceDocument[];
  /**
   * Number of documents omitted before the read, in total and by reason. `files_skipped` has its
   * parts; `files_not_selected` counts those that the patterns exclude.
   */
  readonly skipped: Readonly<Record<string, number>>;
  /** Further counts about the fetch that the job reports, by name. */
  readonly details?: Readonly<Record<string, number>>;
  /**
   * Streams any documents of the snapshot, known ones too, in the requested order and at the
   * consumer's pace. The read ends when the consumer stops early.
   */
  read(documents: readonly SourceDocument[]): AsyncIterable<FetchedDocument>;
  /** Ends every read. The content of the scratch folder remains for the next sync. */
  close(): Promise<void>;
}
