import type { Clock, Config, Logger } from '#platform';

import type { Embedder } from './embedder.port.js';
import { createHashEmbedder } from './hash-embedder.js';

export interface EmbedderContext {
  readonly config: Pick<Config, 'embedding'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The model that the configuration names; the built-in one where it names none. No request is made: an endpoint that is
 * away does not stop the start.
 * @throws ConfigError when the configuration does not fit the model.
 */
export async function createEmbedder({ config: { embedding }, clock, logger }: EmbedderContext): Promise<Embedder> {
  if (!embedding) return createHashEmbedder();
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
