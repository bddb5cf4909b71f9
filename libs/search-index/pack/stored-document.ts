import type { StoredPack } from './stored-pack.js';

/**
 * The places of a document's text in pack files. They are small to post; the thread that gets them
 * reads the text itself.
 */
export interface StoredDocument {
  readonly packs: readonly StoredPack[];
  /**
   * Neighboring chunks in the order of the document: index of the pack, first chunk, and the one
   * after the last.
   */
  readonly runs: ArrayLike<number>;
  /** Bytes of its chunks, without those between them. */
  readonly bytes: number;
}

/** Numbers of a run of chunks. */
export const RUN_COLUMNS = 3;

/** Places of several documents that share their packs. */
export interface StoredDocuments {
  readonly packs: readonly StoredPack[];
  readonly runs: Uint32Array;
  /** Ends of the documents in the runs. */
  readonly ends: Uint32Array;
  readonly bytes: Float64Array;
}

/** Joins documents, which are posted in a fraction of the time that each alone takes. */
export function joinStored(documents: readonly StoredDocument[]): StoredDocuments {
  const numbers = new Map<StoredPack, number>();
  const numberOf = (pack: StoredPack): number => {
    let number = numbers.get(pack);
    if (number === undefined) numbers.set(pack, (number = numbers.size));
    return number;
  };
  const runs = new Uint32Array(documents.reduce((sum, each) => sum + each.runs.length, 0));
  const ends = new Uint32Array(documents.length);
  let end = 0;
  for (const [index, document] of documents.entries()) {
    runs.set(document.runs, end);
    for (const last = end + document.runs.length; end < last; end += RUN_COLUMNS)
      runs[end] = numberOf(document.packs[runs[end] as number] as StoredPack);
    ends[index] = end;
  }
  const bytes = Float64Array.from(documents, (document) => document.bytes);
  return { packs: [...numbers.keys()], runs, ends, bytes };
}

/** Returns the documents that {@link joinStored} joined. */
export function splitStored({ packs, runs, ends, bytes }: StoredDocuments): StoredDocument[] {
  return Array.from(ends, (end, index) => {
    const own = runs.subarray(ends[index - 1] ?? 0, end);
    return { packs, runs: own, bytes: bytes[index] as number };
  });
}
