import type { ModelProfile } from '#retrieval';

/**
 * The header of a model file: all numbers of its recipe, and its origin. Other fields are
 * preserved.
 */
export interface ModelFileHeader {
  /**
   * The model's name: lower-case letters, digits, `.`, `_` and `-`. Content stores it, so other
   * vectors need another one.
   */
  readonly id: string;
  /** Material and method, in a sentence. */
  readonly origin: string;
  /** License of its vectors, as an SPDX expression. */
  readonly licence: string;
  /** The model that it was fitted to. */
  readonly teacher: string;
  /** Dimensions of the terms' vectors, a multiple of 16. */
  readonly dimensions: number;
  /** Dimensions of the hashed part, a multiple of 16, or 0 for none. */
  readonly hashedDimensions: number;
  /**
   * Share of the squared norm for the terms' vectors: above 0, at most 1, and 1 without a hashed
   * part.
   */
  readonly share: number;
  /** The analyzer of the terms in its keys. */
  readonly analyzer: string;
  /** Lengths of the pieces of unknown terms, in UTF-16 units without the `#`. */
  readonly pieceSizes: readonly number[];
  /** Ranking of its cosines. Default: that of `meaning-v1`. */
  readonly ranking?: ModelProfile | undefined;
  readonly [other: string]: unknown;
}

/**
 * A file cannot be used as a model. The message continues the file's name: "… is damaged: rows are
 * cut off".
 */
export class ModelFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelFileError';
  }
}

const MAX_DIMENSIONS = 4_096;
const MAX_PIECE = 16;

/** @throws ModelFileError for an invalid header. */
export function checkedHeader(header: Readonly<Record<string, unknown>>): ModelFileHeader {
  const says = header as ModelFileHeader;
  const {
    id,
    origin,
    licence,
    teacher,
    dimensions,
    hashedDimensions,
    share,
    analyzer,
    pieceSizes,
    ranking,
  } = says;
  need('id', typeof id === 'string' && /^[a-z0-9][a-z0-9._-]{0,63}$/.test(id));
  for (const [name, text] of Object.entries({ origin, licence, teacher, analyzer })) {
    need(name, typeof text === 'string' && text !== '');
  }
  need('dimensions', isWidth(dimensions) && dimensions > 0);
  need('hashedDimensions', isWidth(hashedDimensions));
  need('share', share > 0 && share <= 1 && (hashedDimensions > 0 || share === 1));
  need(
    'pieceSizes',
    Array.isArray(pieceSizes) &&
      pieceSizes.every((size) => isWhole(size) && size > 0 && size <= MAX_PIECE),
  );
  if (ranking !== undefined) need('ranking', isProfile(ranking));
  return says;
}

function need(name: string, holds: boolean): void {
  if (!holds) throw new ModelFileError(`has a header whose ${name} no model can have`);
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}

function isWidth(value: unknown): boolean {
  return isWhole(value) && value >= 0 && value <= MAX_DIMENSIONS && value % 16 === 0;
}

function isProfile(ranking: Partial<ModelProfile> | null): boolean {
  const {
    weights,
    similarityFloor,
    similarityRange: range,
    questionCosines: usual,
  } = ranking ?? {};
  if (!weights || !range) return false;
  if (usual !== undefined && !(Number.isFinite(usual?.neutral) && usual.deviation >= 0))
    return false;
  const { lexical, semantic } = weights;
  const areNumbers = [lexical, semantic, similarityFloor, range.low, range.high].every(
    Number.isFinite,
  );
  return (
    areNumbers &&
    lexical >= 0 &&
    semantic >= 0 &&
    Math.abs(lexical + semantic - 1) < 1e-6 &&
    range.low < range.high
  );
}
