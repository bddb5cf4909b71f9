import { FootnoteError, type ManifestDocument } from '#contracts';

/**
 * Returns the document of a path.
 * @throws FootnoteError `content_not_found` for an unknown path or a file that is not indexed.
 */
export function indexedDocument(
  documents: readonly ManifestDocument[],
  path: string,
): ManifestDocument {
  const document = documents.find((one) => one.path === path);
  if (!document)
    throw new FootnoteError('content_not_found', 'Path not found in this version of the source');
  if (document.skipped === undefined) return document;
  const reason = document.skipped.replaceAll('_', ' ');
  throw new FootnoteError('content_not_found', `This file is not indexed: ${reason}`);
}
