import { type Clock, type Config, ConfigError, type Logger } from '#platform';

import type { Embedder } from './embedder.port.js';
import { createLocalEmbedder } from './local/local-embedder.js';
import {
  BUILT_IN_MODEL_IDS,
  findLocalModel,
  localModel,
  type LocalModelAddress,
} from './local/local-models.js';
import { ModelFileError } from './local/model-file-header.js';

export interface EmbedderContext {
  readonly config: Pick<Config, 'embedding' | 'localModel'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the configured model: at an endpoint, otherwise the local one. Sends no request, so an
 * unavailable endpoint does not prevent the start.
 * @throws ConfigError if the configuration does not fit the model, or a local model's file cannot
 * be used.
 */
export async function createEmbedder({
  config,
  clock,
  logger,
}: EmbedderContext): Promise<Embedder> {
  const { embedding } = config;
  // Also with an endpoint: queries for content of the local model are embedded with it.
  const address = configuredAddress(config);
  if (!embedding) {
    usable(() => localModel(address));
    return createLocalEmbedder(address);
  }
  // The client is large; it is loaded only for a model of that kind.
  const { createOpenAiEmbedder } = await import('./openai-compatible/openai-embedder.js');
  const embedder = createOpenAiEmbedder({ config: embedding, clock, logger });
  if (!embedder.similarityRange) {
    logger.warn(
      { model: embedder.id },
      'embeddings: the cosines of this model are unknown; run `npm run calibrate` to measure them',
    );
  }
  return embedder;
}

/**
 * Returns the models that queries can always be embedded with. These are the built-in ones, whose
 * files are read at their first query, and the configured local one. So its content is still found
 * by meaning after an endpoint replaced it.
 * @throws ConfigError if the configured model's file cannot be used.
 */
export function createLocalEmbedders(config: Pick<Config, 'localModel'>): Embedder[] {
  const builtIn = BUILT_IN_MODEL_IDS.map((id) => createLocalEmbedder({ id }));
  return [...builtIn, createLocalEmbedder(configuredAddress(config))];
}

function configuredAddress(config: Pick<Config, 'localModel'>): LocalModelAddress {
  const address = usable(() => findLocalModel(config.localModel));
  if (address) return address;
  throw new ConfigError(
    `EMBEDDING_LOCAL_MODEL must be ${BUILT_IN_MODEL_IDS.join(', ')} or the absolute path of a model file ` +
      `(got ${JSON.stringify(config.localModel)})`,
  );
}

function usable<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    throw new ConfigError(`EMBEDDING_LOCAL_MODEL cannot be used: ${error.message}`);
  }
}
