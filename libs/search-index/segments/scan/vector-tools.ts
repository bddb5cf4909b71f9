import type { SharedMemory } from '#retrieval/wasm-functions';

import { SignatureScratch } from './signature-scratch.js';
import { VectorScratch } from './vector-scratch.js';

/** One thread's access to the vectors of a memory, in both layouts. */
export interface VectorTools {
  readonly blocks: VectorScratch;
  readonly signed: SignatureScratch;
}

/** @param index of the thread's scratch; see `VectorScratch`. */
export function vectorTools(memory: SharedMemory, index: number): VectorTools {
  return {
    blocks: new VectorScratch(memory, index),
    signed: new SignatureScratch(memory, index),
  };
}
