import { createHash } from 'node:crypto';

import { ConfigError, type EmbeddingSettings } from '#platform';
import type { SimilarityRange } from '#retrieval';

import { knownModel } from './known-models.js';

/** Widths that the embedded index scans: a multiple of this, up to 8192. */
const DIMENSION_STEP = 16;
/** Raised when a passage is put together in another way: its vectors are others then. */
const INPUT_VERSION: number = 1;
/** Code and prose have more characters a token than this in nearly all texts. */
const CHARACTERS_PER_TOKEN = 3;

/**
 * A model as the embedder uses it: the configuration, with what is known about the model where that
 * says nothing.
 */
export interface ModelSettings {
  /** Name at the endpoint. */
  readonly model: string;
  /** Stands for everything that decides what a passage's vector is. */
  readonly id: string;
  readonly dimensions: number;
  /** Asked for in requests; undefined where the model has one width only. */
  readonly requestedDimensions: number | undefined;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Characters of a text beyond which it is cut; undefined: never. */
  readonly maxCharacters: number | undefined;
  readonly similarityRange: SimilarityRange | undefined;
}

/**
 * @throws ConfigError when the model's dimensions are neither known nor configured, or cannot be
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

/**
 * Tells apart vectors that one model gave to differently prepared passages; empty for the plain
 * ones.
 */
function variantOf(passagePrefix: string, maxInputTokens: number | undefined): string {
  if (INPUT_VERSION === 1 && passagePrefix === '' && maxInputTokens === undefined) return '';
  const recipe = JSON.stringify([INPUT_VERSION, passagePrefix, maxInputTokens ?? null]);
  return `+${createHash('sha256').update(recipe).digest('hex').slice(0, 8)}`;
}
