import type { RememberedPart, SpecMemory } from './spec-memory.js';
import { COMMON, reachable, type SpecPieces, touched, WHOLE } from './spec-pieces.js';

const OPERATIONS = /^#\/(?:paths|webhooks)\//;

/**
 * The parts of an earlier reading that a new one would lay out to the same bytes. Neither the piece
 * that they describe nor any that it leads to has changed.
 */
export class Unchanged {
  private readonly pieces = new Set<string>();
  private readonly parts = new Map<string, RememberedPart>();

  constructor(
    private readonly now: SpecPieces,
    before: SpecMemory,
  ) {
    if (before.pieces.size === 0) return;
    const differs = touched(now, before.pieces);
    const given = Map.groupBy(before.parts, ({ piece }) => piece);
    for (const piece of now.hashes.keys()) {
      if (differs.has(piece)) continue;
      this.pieces.add(piece);
      for (const part of given.get(piece) ?? []) this.parts.set(part.pointer, part);
    }
  }

  /** Returns whether all parts of the piece are unchanged. */
  has(piece: string): boolean {
    return this.pieces.has(piece);
  }

  part(pointer: string): RememberedPart | undefined {
    return this.parts.get(pointer);
  }

  /** Returns the parts that exist even if no other part leaves them to their own text. */
  operations(): readonly RememberedPart[] {
    return [...this.parts.values()].filter(({ piece }) => OPERATIONS.test(piece));
  }

  /** Returns the pieces that are needed to lay out the parts that are not here. */
  others(): ReadonlySet<string> {
    if (this.pieces.size === 0) return new Set(this.now.hashes.keys());
    const operations = [...this.now.hashes.keys()].filter(
      (piece) => OPERATIONS.test(piece) && !this.pieces.has(piece),
    );
    return reachable(this.now, [...operations, COMMON, WHOLE]);
  }
}
