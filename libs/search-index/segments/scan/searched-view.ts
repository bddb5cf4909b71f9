import type { DroppedBitmap } from '../../pack/dropped-bitmap.js';
import type { PackTables } from '../../pack/pack-tables.js';
import { blockBytes } from './vector-blocks.js';
import type { ScannedVectors } from './vector-lane.js';

/** What the legs read of a segment; every thread has its own over the same bytes. */
export interface SearchedSegment {
  readonly tables: PackTables;
  /** Address of the first block of vectors in the arena; their scales lie behind the last. */
  readonly vectorsAt: number;
  readonly dimensions: number;
}

/** A segment as one generation sees it, as far as the legs look at it. */
export interface SearchedView {
  readonly embedderId: string;
  readonly segment: SearchedSegment;
  readonly dropped: DroppedBitmap | undefined;
  /** Chunks that are not dropped, and the sum of their weighted lengths. */
  readonly liveChunks: number;
  readonly liveLength: number;
}

/**
 * Chunks of a view from one place to another, exclusive: what one thread looks at. It begins with a block of vectors, and
 * ends with one or with the segment.
 */
export interface ViewRange<View extends SearchedView = SearchedView> {
  readonly view: View;
  readonly from: number;
  readonly to: number;
}

export function wholeView<View extends SearchedView>(view: View): ViewRange<View> {
  return { view, from: 0, to: view.segment.tables.chunkCount };
}

/** The vectors of some chunks, which begin with a block. */
export function scannedVectors(
  { tables, vectorsAt, dimensions }: SearchedSegment,
  from: number,
  to: number,
): ScannedVectors {
  const scalesAt = vectorsAt + blockBytes(tables.chunkCount, dimensions);
  return {
    at: vectorsAt + from * dimensions,
    scalesAt: scalesAt + from * Float32Array.BYTES_PER_ELEMENT,
    count: to - from,
    dimensions,
  };
}
