import { MEANING_ID } from '#retrieval';
import type { SharedMemory } from '#retrieval/wasm-functions';

import { rotationOf, TRANSFORM } from './rotation.js';
import { signatureMathOver } from './signature-math.js';
import { signatureBytes } from './signatures.js';

/** Vectors whose signatures are compared at once. */
export const SIGNATURE_GROUP = 32;

/** Models whose recall by signatures is published; the vectors of others are compared exactly. */
const SIGNED_MODELS: readonly string[] = [MEANING_ID];

/**
 * The layout of a segment's vectors in the arena: row after row, as in the pack, and then their
 * signatures in groups of 32. A group has the first bytes of its signatures, then the second ones.
 * Unused places of the last group are zero.
 */
export interface SignedVectors {
  readonly rowsAt: number;
  readonly signaturesAt: number;
  readonly count: number;
  readonly dimensions: number;
}

/** Reports whether the vectors of a model have signatures. */
export function isSigned(model: { readonly id: string; readonly dimensions: number }): boolean {
  const { id, dimensions } = model;
  return SIGNED_MODELS.includes(id) && dimensions > 0 && dimensions % TRANSFORM === 0;
}

/** Returns where the vectors of a segment are, whose arena memory begins at an address. */
export function signedVectors(at: number, count: number, dimensions: number): SignedVectors {
  return { rowsAt: at, signaturesAt: at + padded(count) * dimensions, count, dimensions };
}

/** Returns the bytes of some vectors in the arena. */
export function signedBytes(count: number, dimensions: number): number {
  return padded(count) * (dimensions + signatureBytes(dimensions));
}

function padded(count: number): number {
  return Math.ceil(count / SIGNATURE_GROUP) * SIGNATURE_GROUP;
}

/** Bytes of an index and a sign. */
const ORDER_BYTES = 4;

/** Returns the bytes that {@link signRows} needs for its work. */
export function signingBytes(dimensions: number): number {
  return (ORDER_BYTES + Int16Array.BYTES_PER_ELEMENT) * dimensions;
}

/**
 * Writes the signatures of rows that are in place.
 * @param space address of {@link signingBytes}.
 */
export function signRows(memory: SharedMemory, vectors: SignedVectors, space: number): void {
  const { rowsAt, signaturesAt, count, dimensions } = vectors;
  const math = signatureMathOver(memory);
  const { order, signs } = rotationOf(dimensions);
  const entries = new Int16Array(memory.buffer, space, 2 * dimensions);
  for (let at = 0; at < dimensions; at += 1) {
    entries[2 * at] = order[at] as number;
    entries[2 * at + 1] = signs[at] as number;
  }
  const bytes = signatureBytes(dimensions);
  new Uint8Array(memory.buffer, signaturesAt, padded(count) * bytes).fill(0);
  const rotated = space + ORDER_BYTES * dimensions;
  for (let vector = 0; vector < count; vector += 1) {
    const place = vector % SIGNATURE_GROUP;
    const out = signaturesAt + (vector - place) * bytes + place;
    math.sign(rowsAt + vector * dimensions, dimensions, space, rotated, out);
  }
}
