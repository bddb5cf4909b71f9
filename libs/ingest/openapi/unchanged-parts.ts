import type { RememberedPart, SpecMemory } from './spec-memory.js';
import { COMMON, reachable, type SpecPieces, touched, WHOLE } from './spec-pieces.js';

const OPERATIONS = /^#\/(?:paths|webhooks)\//;

/**
 * The parts of an earlier reading that a new one would lay out to the same bytes: neither the piece
 * that they tell of nor any that it leads to is another than it was.
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

  get isEmpty(): boolean {
    return this.pieces.size === 0;
  }

  /** Whether all parts of the piece are as they were. */
  has(piece: string): boolean {
    return this.pieces.has(piece);
  }

  part(pointer: string): RememberedPart | undefined {
    return this.parts.get(pointer);
  }

  /** Those that nobody has to leave to their own text. */
  operations(): readonly RememberedPart[] {
    return [...this.parts.values()].filter(({ piece }) => OPERATIONS.test(piece));
  }

  /** The pieces that the parts are laid out from that are not here. */
  others(): ReadonlySet<string> {
    const operations = [...this.now.hashes.keys()].filter(
      (piece) => OPERATIONS.test(piece) && !this.pieces.has(piece),
    );
    return reachable(this.now, [...operations, COMMON, WHOLE]);
  }
}
