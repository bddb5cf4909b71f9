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
 * The model that the configuration names: at an endpoint, else the local one. No request is made:
 * an endpoint that is away does not stop the start.
 * @throws ConfigError when the configuration does not fit the model, or a local model's file cannot
 * be used.
 */
export async function createEmbedder({
  config,
  clock,
  logger,
}: EmbedderContext): Promise<Embedder> {
  const { embedding } = config;
  // Also beside an endpoint: queries are embedded with it for what it embedded.
  const address = configuredAddress(config);
  if (!embedding) {
    usable(() => localModel(address));
    return createLocalEmbedder(address);
  }
  // The client is large; without a model of that kind it is not loaded.
  const { createOpenAiEmbedder } = await import('./openai-compatible/openai-embedder.js');
  const embedder = createOpenAiEmbedder({ config: embedding, clock, logger });
  if (!embedder.similarityRange) {
    logger.warn(
      { model: embedder.id },
      'Nothing is known about the cosines of this model; `npm run calibrate` measures them',
    );
  }
  return embedder;
}

/**
 * The models that queries can always be embedded with: the built-in ones, whose files are read at
 * their first query, and the configured local one, so that content which it embedded is found by
 * its meaning when an endpoint has taken its place.
 * @throws ConfigError when the configured model's file cannot be used.
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
