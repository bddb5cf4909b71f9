import { PackTables } from '../../pack/pack-tables.js';
import type { PackMeta } from '../../pack/pack-layout.js';
import { BadSectionsError } from '../../pack/sections.js';
import type { SearchedSegment } from './searched-view.js';

/** Checked sections of a pack in memory that threads share. */
export interface ResidentSections {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Name → where it begins and ends. */
  readonly places: Readonly<Record<string, readonly [from: number, to: number]>>;
}

/** A segment in a form that can be posted to another thread, which then reads the same bytes. */
export interface SharedSegment {
  readonly meta: PackMeta;
  readonly resident: ResidentSections;
  readonly vectorsAt: number;
}

/** @throws BadSectionsError when a section is missing. */
export function tablesOf(meta: PackMeta, { bytes, places }: ResidentSections): PackTables {
  return new PackTables(meta, (name) => {
    const place = places[name];
    if (!place) throw new BadSectionsError(`section ${name} is missing`);
    return bytes.subarray(...place);
  });
}

/** The segment as the legs of the calling thread read it. */
export function searchedSegment({ meta, resident, vectorsAt }: SharedSegment): SearchedSegment {
  return { tables: tablesOf(meta, resident), vectorsAt, dimensions: meta.embedder.dimensions };
}
