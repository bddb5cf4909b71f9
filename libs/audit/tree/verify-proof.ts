import { emptyRoot, HASH_BYTES, nodeHash } from './hashing.js';

/** Hashes of a longer proof exceed every tree whose size is a safe integer. */
const MAX_PROOF_HASHES = 2 * 53;

/** The proof that a leaf is in a tree, with what it claims. */
export interface InclusionClaim {
  readonly index: number;
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly root: Uint8Array;
  /** From the leaf to the root. */
  readonly proof: readonly Uint8Array[];
}

/** Reports whether a proof shows the leaf at its index (RFC 9162, section 2.1.3.2). */
export function verifyInclusion({ index, size, leaf, root, proof }: InclusionClaim): boolean {
  if (!isIndex(index) || !isIndex(size) || index >= size) return false;
  if (!areHashes([leaf, root, ...proof])) return false;
  let position = index;
  let last = size - 1;
  let node: Uint8Array = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      node = nodeHash(sibling, node);
      [position, last] = upToLeftSibling(position, last);
    } else {
      node = nodeHash(node, sibling);
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && same(node, root);
}

/** The proof that a tree grew by appends alone, with what it claims. */
export interface ConsistencyClaim {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Reports whether a proof shows the first tree to begin the second (RFC 9162, section 2.1.4.2).
 * Every tree begins with the empty one, and with itself; the proof of both is empty.
 */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { from, to, fromRoot, toRoot, proof } = claim;
  if (!isIndex(from) || !isIndex(to) || from > to) return false;
  if (!areHashes([fromRoot, toRoot, ...proof])) return false;
  if (from === to) return proof.length === 0 && same(fromRoot, toRoot);
  if (from === 0) return proof.length === 0 && same(fromRoot, emptyRoot());
  return climb(claim, isPowerOfTwo(from) ? [fromRoot, ...proof] : proof);
}

function climb(
  { from, to, fromRoot, toRoot }: ConsistencyClaim,
  [first, ...rest]: readonly Uint8Array[],
): boolean {
  if (!first) return false;
  let position = from - 1;
  let last = to - 1;
  while (position % 2 === 1) {
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  let [older, newer] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      older = nodeHash(sibling, older);
      newer = nodeHash(sibling, newer);
      [position, last] = upToLeftSibling(position, last);
    } else {
      newer = nodeHash(newer, sibling);
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && same(older, fromRoot) && same(newer, toRoot);
}

/** Climbs from the right edge to the first level at which the node is a right child. */
function upToLeftSibling(position: number, last: number): [number, number] {
  let [at, edge] = [position, last];
  while (at % 2 === 0 && at !== 0) [at, edge] = [at / 2, Math.floor(edge / 2)];
  return [at, edge];
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}

function areHashes(hashes: readonly Uint8Array[]): boolean {
  return (
    hashes.length <= MAX_PROOF_HASHES + 2 && hashes.every(({ length }) => length === HASH_BYTES)
  );
}

function same(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
