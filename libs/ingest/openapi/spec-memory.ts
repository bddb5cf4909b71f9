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

/** The text of a piece as it was written in JSON, and the results of reading it. */
export interface KnownText {
  /** Length and hash of the text. */
  readonly bytes: number;
  readonly text: string;
  /** Hash of the value and pieces that it refers to. */
  readonly hash: string;
  readonly references: readonly string[];
}

/** Results of one reading of a specification for the next. */
export interface SpecMemory {
  /** Hashes of the pieces whose parts are all stored. */
  readonly pieces: ReadonlyMap<string, string>;
  /** Texts of the pieces of a specification in JSON. */
  readonly texts: ReadonlyMap<string, KnownText>;
  /** True for Swagger 2.0, whose references have another meaning. */
  readonly swagger: boolean;
  /** Parts made of the pieces. */
  readonly parts: readonly RememberedPart[];
}

export const NOTHING_REMEMBERED: SpecMemory = {
  pieces: new Map(),
  texts: new Map(),
  swagger: false,
  parts: [],
};

/** Raised when the meaning of a field changes: memory of another format is not reusable. */
const FORMAT = 2;

interface Written extends Pick<SpecMemory, 'swagger' | 'parts'> {
  readonly format: number;
  readonly recipe: string;
  readonly pieces: readonly (readonly [string, string])[];
  readonly texts: readonly (readonly [string, KnownText])[];
}

const LINE = 0x0a;

/**
 * Returns the memory as bytes. @param recipe everything except the specification that determines
 * its parts.
 */
export function encodeMemory(memory: SpecMemory, recipe: string): Uint8Array {
  const { pieces, texts } = memory;
  const written: Written = {
    ...memory,
    format: FORMAT,
    recipe,
    pieces: [...pieces],
    texts: [...texts],
  };
  const body = JSON.stringify(written);
  return Buffer.from(`${hash('sha256', body)}\n${body}`);
}

/**
 * Returns the reusable memory of an earlier reading. Memory of another recipe or format and damaged
 * bytes are not reusable, and neither is a piece with a part that is not stored.
 *
 * @param kept hashes of the parts whose content is present, by pointer.
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
  if (written.format !== FORMAT || written.recipe !== recipe) return NOTHING_REMEMBERED;
  const pieces = new Map(written.pieces);
  for (const part of written.parts)
    if (kept.get(part.pointer) !== part.hash) pieces.delete(part.piece);
  const { swagger, parts } = written;
  return { pieces, texts: new Map(written.texts), swagger, parts };
}
