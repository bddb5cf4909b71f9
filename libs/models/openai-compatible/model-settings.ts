import { createHash } from 'node:crypto';

import { ConfigError, type EmbeddingSettings } from '#platform';
import type { SimilarityRange } from '#retrieval';

import { knownModel } from './known-models.js';

/** The embedded index scans multiples of this width, up to 8192. */
const DIMENSION_STEP = 16;
/** Raised when passages are prepared differently, because their vectors change. */
const INPUT_VERSION: number = 1;
/** Nearly all code and prose has more characters per token than this. */
const CHARACTERS_PER_TOKEN = 3;

/**
 * Settings of a model for the embedder: the configuration, completed with known properties of the
 * model.
 */
export interface ModelSettings {
  /** Name at the endpoint. */
  readonly model: string;
  /** Identifies everything that determines the vector of a passage. */
  readonly id: string;
  readonly dimensions: number;
  /** Dimensions in requests; undefined if the model has only one width. */
  readonly requestedDimensions: number | undefined;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Maximum characters of a text; longer ones are cut. Undefined: never. */
  readonly maxCharacters: number | undefined;
  readonly similarityRange: SimilarityRange | undefined;
}

/**
 * @throws ConfigError if the model's dimensions are neither known nor configured, or cannot be
 * indexed.
 */
export function modelSettings(config: EmbeddingSettings): ModelSettings {
  const { model } = config;
  const known = knownModel(model);
  const dimensions = config.dimensions ?? known.dimensions;
  if (dimensions === undefined) {
    throw new ConfigError(
      `EMBEDDING_DIMENSIONS is required for the unknown EMBEDDING_MODEL ${JSON.stringify(model)}`,
    );
  }
  if (dimensions % DIMENSION_STEP !== 0) {
    throw new ConfigError(
      `EMBEDDING_DIMENSIONS must be a multiple of ${DIMENSION_STEP} (got ${dimensions})`,
    );
  }
  const asks =
    config.sendDimensions ?? (known.takesDimensions === true && config.dimensions !== undefined);
  const passagePrefix = config.passagePrefix ?? known.passagePrefix ?? '';
  const maxInputTokens = config.maxInputTokens ?? known.maxInputTokens;
  return {
    model,
    id: `${model}@${dimensions}${variantOf(passagePrefix, maxInputTokens)}`,
    dimensions,
    requestedDimensions: asks ? dimensions : undefined,
    queryPrefix: config.queryPrefix ?? known.queryPrefix ?? '',
    passagePrefix,
    maxCharacters: maxInputTokens === undefined ? undefined : maxInputTokens * CHARACTERS_PER_TOKEN,
    similarityRange: config.similarityRange ?? known.similarityRange,
  };
}

/** Returns the variant of vectors of differently prepared passages; empty for the plain ones. */
function variantOf(passagePrefix: string, maxInputTokens: number | undefined): string {
  if (INPUT_VERSION === 1 && passagePrefix === '' && maxInputTokens === undefined) return '';
  const recipe = JSON.stringify([INPUT_VERSION, passagePrefix, maxInputTokens ?? null]);
  return `+${createHash('sha256').update(recipe).digest('hex').slice(0, 8)}`;
}
