import { hash } from 'node:crypto';

/** A part as an earlier reading left it: enough to know it again without laying it out. */
export interface RememberedPart {
  readonly pointer: string;
  /** The piece of the specification that it tells of; empty for the specification as a whole. */
  readonly piece: string;
  /** Of its bytes. */
  readonly hash: string;
  readonly size: number;
  /** Pointers of the named schemas that it leaves to their own text. */
  readonly left: readonly string[];
}

/**
 * What one reading of a specification leaves for the next: what it was cut into, by hash, and the
 * parts that came of it.
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

/** @param recipe what decides, apart from the specification, what its parts are. */
export function encodeMemory({ pieces, parts }: SpecMemory, recipe: string): Uint8Array {
  const body = JSON.stringify({ recipe, pieces: [...pieces], parts } satisfies Written);
  return Buffer.from(`${hash('sha256', body)}\n${body}`);
}

/**
 * What may be taken from an earlier reading: nothing of another recipe or of damaged bytes, and no
 * piece with a part that is not among what is kept.
 * @param kept hashes of the parts whose content is there, by pointer.
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
