/** One document of a generation. `pack` and `first`/`chunks` locate its chunks. */
export interface ManifestDocument {
  readonly path: string;
  /** Shows a change without reading the document: the git blob id, or the content hash. */
  readonly version: string;
  /** Validators of an HTTP fetch, where there was one. */
  readonly etag?: string;
  readonly last_modified?: string;
  /** It could not be fetched at this sync: its content is that of the one before. */
  readonly missed?: true;
  /** Index into `Manifest.packs`; absent when the document gave no chunks (skipped or empty). */
  readonly pack?: number;
  /** Ordinal of the document's first chunk in its pack, and how many follow. */
  readonly first?: number;
  readonly chunks: number;
  /**
   * Why the document was left out, where it was: `binary`, `generated`, `minified`, `vendored`,
   * `too_large`.
   */
  readonly skipped?: string;
}

/** A pack as one generation sees it. */
export interface ManifestPack {
  /** Blob hash of the pack. */
  readonly hash: string;
  /** Chunks in the pack, dropped ones included. */
  readonly chunks: number;
  /**
   * Base64 bitmap of the chunks that this generation no longer has (bit i of byte i>>3); absent
   * when it has all.
   */
  readonly dropped?: string;
  readonly dropped_count: number;
  /** Bytes of the pack; absent in manifests of before it was recorded. */
  readonly bytes?: number;
}

/**
 * The content of one generation of a source: a JSON blob, named by its hash in JobStaged and
 * JobCompleted.
 */
export interface Manifest {
  readonly format: 1;
  readonly tenant_id: string;
  readonly source_id: string;
  readonly generation: number;
  readonly version_ref: string;
  /**
   * Hash over the definition fields and pipeline versions that decide the content; a change
   * re-reads everything.
   */
  readonly recipe: string;
  readonly analyzer: string;
  readonly embedder: { readonly id: string; readonly dimensions: number };
  readonly documents: readonly ManifestDocument[];
  readonly packs: readonly ManifestPack[];
  readonly file_count: number;
  readonly chunk_count: number;
}
