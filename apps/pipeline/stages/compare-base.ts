import type { Manifest } from '#contracts';
import type { SourceDocument } from '#ingest';

import type { ListedDocument } from '../artifacts/source-listing.js';

export interface ComparedDocuments {
  /**
   * All documents of the new generation in path order; those that the base has are marked as kept.
   */
  readonly listed: readonly ListedDocument[];
  /** The ones whose content is needed. */
  readonly toRead: readonly SourceDocument[];
}

/**
 * Determines the documents that the base already has: same path, same version.
 *
 * @param base the manifest to reuse documents from; null reads everything.
 */
export function compareWithBase(
  documents: readonly SourceDocument[],
  base: Manifest | null,
): ComparedDocuments {
  const before = new Map(base?.documents.map((document) => [document.path, document]));
  const toRead: SourceDocument[] = [];
  const listed = documents.map((document): ListedDocument => {
    const { path, version, etag, last_modified, missed } = document;
    const validators = {
      ...(etag !== undefined && { etag }),
      ...(last_modified !== undefined && { last_modified }),
      ...(missed && { missed }),
    };
    const known = before.get(path);
    if (known?.version === version) {
      return {
        path,
        version,
        ...validators,
        kept: true,
        ...(known.skipped !== undefined && { skipped: known.skipped }),
      };
    }
    toRead.push(document);
    return { path, version, ...validators };
  });
  return { listed, toRead };
}
