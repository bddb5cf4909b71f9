import { FootnoteError, isFootnoteError } from '#contracts';
import type { IndexedChunk, LiveSource, SearchIndex } from '#search-index';

import type { ContentGaps } from './content-gaps.js';

/**
 * Returns the chunks of a document.
 * @throws FootnoteError as {@link readIndexed}.
 */
export function readIndexedDocument(
  index: SearchIndex,
  gaps: ContentGaps,
  source: LiveSource,
  path: string,
): Promise<readonly IndexedChunk[]> {
  return readIndexed(gaps, source, () => index.document(source, path));
}

/**
 * Reads from a loaded generation.
 * @throws FootnoteError `content_missing` if the index cannot load the generation because its
 * content is lost; `engine_unavailable` for other reasons.
 */
export async function readIndexed<Result>(
  gaps: ContentGaps,
  source: LiveSource,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isFootnoteError(error, 'engine_unavailable')) throw error;
    await gaps.refreshUnlessFresh();
    const gap = gaps.of(source);
    if (!gap) throw error;
    throw new FootnoteError('content_missing', gap.message, { cause: error });
  }
}
