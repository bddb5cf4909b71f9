import { encodeModelFile, ModelFileError, type ModelFileHeader } from '#models';

import { DistilError } from './distil-error.js';
import { FIT_DEFAULTS, type FitSettings } from './fit/fit-rows.js';

/** What is made, and of how much. */
export interface DistilSettings {
  /** The model's name in its file. */
  readonly name: string;
  /** SPDX expression under which the file may be used. */
  readonly licence: string;
  /** Of the vectors, a multiple of 16. */
  readonly dimensions: number;
  /**
   * Of the hashed part beside them, a multiple of 16, and what of the squared norm the vectors
   * have.
   */
  readonly hashedDimensions: number;
  readonly share: number;
  /** At most; so are the following. */
  readonly words: number;
  readonly pieces: number;
  /** Last commits of each repository. */
  readonly commits: number;
  /** Questions and passages that the teacher is asked for. */
  readonly questions: number;
  readonly passages: number;
  /** Of the file. */
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
 * Looks at what the file will say of itself before hours of work.
 * @throws DistilError
 */
export function checkHeader(header: ModelFileHeader): void {
  try {
    encodeModelFile(header, []);
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    throw new DistilError(
      `The file ${error.message}: name, licence, dimensions and share are yours to choose.`,
    );
  }
}

/**
 * Looks before hours of work whether the vocabulary fits the settings.
 * @throws DistilError
 */
export function checkSize(
  settings: DistilSettings,
  { words, keys }: { readonly words: number; readonly keys: readonly string[] },
): void {
  const { dimensions, maxBytes } = settings;
  if (words <= dimensions) {
    throw new DistilError(
      `The repositories have ${words} frequent words, which is too few for ${dimensions} dimensions: ` +
        'name more repositories or fewer --dimensions.',
    );
  }
  // One byte a dimension, a scale, the key and where it ends.
  const bytes = keys.reduce((sum, key) => sum + dimensions + 8 + 2 * key.length, 0);
  if (bytes > maxBytes) {
    throw new DistilError(
      `A file of ${keys.length} vectors has about ${bytes} bytes, more than --max-bytes ${maxBytes}: ` +
        'allow more, or fewer --words, --pieces or --dimensions.',
    );
  }
}

/** @throws DistilError for a teacher that is narrower than the file is to be */
export function checkTeacher(
  { dimensions }: DistilSettings,
  teacher: { readonly dimensions: number },
): void {
  if (dimensions > teacher.dimensions) {
    throw new DistilError(
      `--dimensions is ${dimensions}, but the teacher has ${teacher.dimensions}: at most so many can be learnt of it.`,
    );
  }
}
