import type { SourceChunk } from '#contracts';
import { createEmbedder } from '#models';
import { ConfigError, createLogger, loadConfig, systemClock } from '#platform';
import {
  analyzeQuery,
  type LocalModel,
  type ModelProfile,
  modelProfile,
  weighTerms,
} from '#retrieval';

/** A model whose vectors every peer searches with. */
export interface ComparedModel {
  readonly id: string;
  readonly dimensions: number;
  readonly profile: ModelProfile;
  /** One vector a chunk, in their order. */
  passages(chunks: readonly SourceChunk[]): Promise<readonly Float32Array[]>;
  question(text: string): Promise<Float32Array>;
}

export function comparedLocalModel(model: LocalModel): ComparedModel {
  const { id, dimensions, profile } = model;
  return {
    id,
    dimensions,
    profile,
    passages: (chunks) =>
      Promise.resolve(
        chunks.map((chunk) => {
          const { terms, frequencies } = weighTerms(chunk);
          return model.embed(terms, frequencies);
        }),
      ),
    question(text) {
      const { terms, frequencies } = analyzeQuery(text);
      return Promise.resolve(model.embed(terms, frequencies));
    },
  };
}

/**
 * The model that the EMBEDDING_ variables name, ranked with as the service would. @throws
 * ConfigError where they name none.
 */
export async function comparedEndpointModel(): Promise<ComparedModel> {
  const config = loadConfig();
  if (!config.embedding)
    throw new ConfigError('EMBEDDING_MODEL is unset, but it is needed for --endpoint.');
  const embedder = await createEmbedder({
    config,
    clock: systemClock,
    logger: createLogger('error'),
  });
  const { id, dimensions, profile, similarityRange } = embedder;
  return {
    id,
    dimensions,
    profile: profile ?? modelProfile(id, similarityRange),
    passages: (chunks) => embedder.embedPassages(chunks),
    question: (text) => embedder.embedQuery(text),
  };
}
