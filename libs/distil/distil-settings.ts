import { encodeModelFile, ModelFileError, type ModelFileHeader } from '#models';

import { DistilError } from './distil-error.js';
import { FIT_DEFAULTS, type FitSettings } from './fit/fit-rows.js';

/** The settings of a distillation. */
export interface DistilSettings {
  /** The model's name in its file. */
  readonly name: string;
  /** SPDX expression of the file's license. */
  readonly licence: string;
  /** Dimensions of the vectors, a multiple of 16. */
  readonly dimensions: number;
  /**
   * Dimensions of the additional hashed part, a multiple of 16, and the share of the squared norm
   * for the vectors.
   */
  readonly hashedDimensions: number;
  readonly share: number;
  /** A maximum, like the following. */
  readonly words: number;
  readonly pieces: number;
  /** Number of last commits of each repository. */
  readonly commits: number;
  /** Questions and passages for the teacher. */
  readonly questions: number;
  readonly passages: number;
  /** Maximum size of the file. */
  readonly maxBytes: number;
  readonly fit: FitSettings;
}

export const DISTIL_DEFAULTS: Omit<DistilSettings, 'licence'> = {
  name: 'distilled',
  dimensions: 256,
  hashedDimensions: 256,
  share: 0.8,
  words: 38_000,
  pieces: 6_000,
  commits: 2_500,
  questions: 40_000,
  passages: 16_000,
  maxBytes: 15_000_000,
  fit: FIT_DEFAULTS,
};

/**
 * Checks the header of the file before hours of work.
 * @throws DistilError.
 */
export function checkHeader(header: ModelFileHeader): void {
  try {
    encodeModelFile(header, []);
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    throw new DistilError(`The file ${error.message}; change name, license, dimensions or share`);
  }
}

/**
 * Checks before hours of work whether the vocabulary fits the settings.
 * @throws DistilError.
 */
export function checkSize(
  settings: DistilSettings,
  { words, keys }: { readonly words: number; readonly keys: readonly string[] },
): void {
  const { dimensions, maxBytes } = settings;
  if (words <= dimensions) {
    throw new DistilError(
      `The repositories have ${words} frequent words, which is too few for ${dimensions} dimensions; ` +
        'add repositories or decrease --dimensions',
    );
  }
  // One byte per dimension, a scale, the key and its end.
  const bytes = keys.reduce((sum, key) => sum + dimensions + 8 + 2 * key.length, 0);
  if (bytes > maxBytes) {
    throw new DistilError(
      `A file of ${keys.length} vectors has about ${bytes} bytes, more than --max-bytes ${maxBytes}; ` +
        'increase it, or decrease --words, --pieces or --dimensions',
    );
  }
}

/** @throws DistilError for a teacher that is narrower than the file. */
export function checkTeacher(
  { dimensions }: DistilSettings,
  teacher: { readonly dimensions: number },
): void {
  if (dimensions > teacher.dimensions) {
    throw new DistilError(
      `--dimensions must be at most ${teacher.dimensions}, the dimensions of the teacher (got ${dimensions})`,
    );
  }
}
