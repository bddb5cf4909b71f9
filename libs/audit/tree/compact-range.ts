import { emptyRoot, HASH_BYTES, nodeHash } from './hashing.js';

/**
 * A tree that grows by leaves and knows its root. Its memory grows with the logarithm of its size.
 * It holds one hash per bit that is set in the size, the largest perfect subtree first.
 */
export class CompactRange {
  private constructor(
    private readonly hashes: Buffer[],
    private count: number,
  ) {}

  static empty(): CompactRange {
    return new CompactRange([], 0);
  }

  /**
   * Returns the range that {@link nodes} was taken from.
   * @throws RangeError when the nodes do not fit the size.
   */
  static of(size: number, nodes: readonly Uint8Array[]): CompactRange {
    if (!Number.isSafeInteger(size) || size < 0)
      throw new RangeError(`a tree size must be an integer from 0 (got ${size})`);
    const expected = bitsSet(size);
    if (nodes.length !== expected || nodes.some((node) => node.length !== HASH_BYTES)) {
      throw new RangeError(
        `a tree of ${size} leaves must have ${expected} nodes of ${HASH_BYTES} bytes`,
      );
    }
    return new CompactRange(
      nodes.map((node) => Buffer.from(node)),
      size,
    );
  }

  /** Number of leaves. */
  get size(): number {
    return this.count;
  }

  /** Hashes of the perfect subtrees, the largest first. */
  get nodes(): readonly Buffer[] {
    return this.hashes;
  }

  append(leaf: Buffer): void {
    let node = leaf;
    // Each bit that the carry clears joins two subtrees of one size.
    for (let rest = this.count; rest % 2 === 1; rest = (rest - 1) / 2) {
      const left = this.hashes.pop();
      if (left) node = nodeHash(left, node);
    }
    this.hashes.push(node);
    this.count += 1;
  }

  root(): Buffer {
    return joinSubtrees(this.hashes);
  }
}

/** Returns the root above perfect subtrees that follow each other, the largest first. */
export function joinSubtrees(hashes: readonly Buffer[]): Buffer {
  const last = hashes.at(-1);
  if (!last) return emptyRoot();
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}

function bitsSet(size: number): number {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}
