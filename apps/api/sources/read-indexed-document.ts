import { FootnoteError, isFootnoteError } from '#contracts';
import type { IndexedChunk, LiveSource, SearchIndex } from '#search-index';

import type { ContentGaps } from './content-gaps.js';

/**
 * Returns the chunks of a document.
 * @throws FootnoteError `content_missing` if the index cannot load the generation because its
 * content is lost; `engine_unavailable` for other reasons.
 */
export async function readIndexedDocument(
  index: SearchIndex,
  gaps: ContentGaps,
  source: LiveSource,
  path: string,
): Promise<readonly IndexedChunk[]> {
  try {
    return await index.document(source, path);
  } catch (error) {
    if (!isFootnoteError(error, 'engine_unavailable')) throw error;
    await gaps.refreshUnlessFresh();
    const gap = gaps.of(source);
    if (!gap) throw error;
    throw new FootnoteError('content_missing', gap.message, { cause: error });
  }
}
