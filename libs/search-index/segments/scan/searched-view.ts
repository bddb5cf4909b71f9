import type { DroppedBitmap } from '../../pack/dropped-bitmap.js';
import type { PackMeta } from '../../pack/pack-layout.js';
import { PackTables } from '../../pack/pack-tables.js';
import { BadSectionsError } from '../../pack/sections.js';
import { isSigned, type SignedVectors, signedVectors } from './signed-vectors.js';
import { blockBytes } from './vector-blocks.js';
import type { ScannedVectors } from './vector-scratch.js';

/** The part of a segment that the retrievers read; every thread has its own over the same bytes. */
export interface SearchedSegment {
  readonly tables: PackTables;
  /** Address of the vectors in the arena: signed ones, or blocks that the scales follow. */
  readonly vectorsAt: number;
  readonly dimensions: number;
}

/** The part of a segment in one generation that the retrievers read. */
export interface SearchedView {
  readonly embedderId: string;
  readonly segment: SearchedSegment;
  readonly dropped: DroppedBitmap | undefined;
  /** Chunks that are not dropped, and the sum of their weighted lengths. */
  readonly liveChunks: number;
  readonly liveLength: number;
}

/**
 * Chunks of a view from one to another, exclusive: the input of one thread. It begins with a block
 * of vectors, and ends with one or with the segment.
 */
export interface ViewRange<View extends SearchedView = SearchedView> {
  readonly view: View;
  readonly from: number;
  readonly to: number;
}

export function wholeView<View extends SearchedView>(view: View): ViewRange<View> {
  return { view, from: 0, to: view.segment.tables.chunkCount };
}

/** Reports whether the vectors of a segment have signatures, and lie row by row. */
export function hasSignatures({ tables: { meta } }: SearchedSegment): boolean {
  return isSigned(meta.embedder);
}

/** Returns the vectors of a segment that have signatures. */
export function signedVectorsOf({ tables, vectorsAt, dimensions }: SearchedSegment): SignedVectors {
  return signedVectors(vectorsAt, tables.chunkCount, dimensions);
}

/** Returns the vectors of some chunks, which begin with a block. */
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

/** Checked sections of a pack in memory that threads share. */
export interface ResidentSections {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Name → begin and end. */
  readonly bounds: Readonly<Record<string, readonly [from: number, to: number]>>;
}

/** A segment in a form that can be posted to another thread, which then reads the same bytes. */
export interface SharedSegment {
  readonly meta: PackMeta;
  readonly resident: ResidentSections;
  readonly vectorsAt: number;
}

/** @throws BadSectionsError if a section is missing. */
export function tablesOf(meta: PackMeta, { bytes, bounds }: ResidentSections): PackTables {
  const section = (name: string): Uint8Array => {
    const at = bounds[name];
    if (!at) throw new BadSectionsError(`section ${name} is missing`);
    return bytes.subarray(...at);
  };
  return new PackTables(meta, section, (name) => name in bounds);
}

/** Returns the segment for the retrievers of the calling thread. */
export function searchedSegment({ meta, resident, vectorsAt }: SharedSegment): SearchedSegment {
  return { tables: tablesOf(meta, resident), vectorsAt, dimensions: meta.embedder.dimensions };
}
