/** Memory that the searches of a thread use one after the other. */
export interface Scratch {
  /** A score a chunk of one segment; all zero between two segments. */
  scores: Float32Array;
  /** Chunks whose score is not zero. */
  touched: Uint32Array;
  /** Dot products of the query with the vectors of a scope. */
  products: Int32Array;
}

export function createScratch(): Scratch {
  return { scores: new Float32Array(), touched: new Uint32Array(), products: new Int32Array() };
}
