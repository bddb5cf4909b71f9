import { hash } from 'node:crypto';

/** A part from an earlier reading: enough to recognize it without laying it out. */
export interface RememberedPart {
  readonly pointer: string;
  /** Piece of the specification that the part describes; empty for the specification as a whole. */
  readonly piece: string;
  /** Hash of its bytes. */
  readonly hash: string;
  readonly size: number;
  /** Pointers of the named schemas that it leaves to their own text. */
  readonly left: readonly string[];
}

/**
 * Memory of one reading of a specification for the next: its pieces by hash, and the parts made of
 * them.
 */
export interface SpecMemory {
  readonly pieces: ReadonlyMap<string, string>;
  readonly parts: readonly RememberedPart[];
}

export const NOTHING_REMEMBERED: SpecMemory = { pieces: new Map(), parts: [] };

interface Written {
  readonly recipe: string;
  readonly pieces: readonly (readonly [string, string])[];
  readonly parts: readonly RememberedPart[];
}

const LINE = 0x0a;

/**
 * Returns the memory as bytes. @param recipe everything except the specification that determines
 * its parts.
 */
export function encodeMemory({ pieces, parts }: SpecMemory, recipe: string): Uint8Array {
  const body = JSON.stringify({ recipe, pieces: [...pieces], parts } satisfies Written);
  return Buffer.from(`${hash('sha256', body)}\n${body}`);
}

/**
 * Returns the reusable memory of an earlier reading. Memory of another recipe and damaged bytes are
 * not reusable, and neither is a piece with a part that is not stored. @param kept hashes of the
 * parts whose content is present, by pointer.
 */
export function decodeMemory(
  bytes: Uint8Array,
  recipe: string,
  kept: ReadonlyMap<string, string>,
): SpecMemory {
  const end = bytes.indexOf(LINE);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'utf8',
    end + 1,
  );
  if (
    end === -1 ||
    Buffer.from(bytes.subarray(0, end)).toString('latin1') !== hash('sha256', body)
  ) {
    return NOTHING_REMEMBERED;
  }
  const written = JSON.parse(body) as Written;
  if (written.recipe !== recipe) return NOTHING_REMEMBERED;
  const pieces = new Map(written.pieces);
  for (const part of written.parts)
    if (kept.get(part.pointer) !== part.hash) pieces.delete(part.piece);
  return { pieces, parts: written.parts };
}
