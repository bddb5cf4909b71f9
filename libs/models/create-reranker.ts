import type { Clock, Config, Logger } from '#platform';

import type { Reranker } from './rerank/reranker.port.js';

export interface RerankerContext {
  readonly config: Pick<Config, 'rerank'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the configured reranker; null without one. Sends no request, so an unavailable endpoint
 * does not prevent the start.
 */
export async function createReranker({
  config: { rerank },
  clock,
  logger,
}: RerankerContext): Promise<Reranker | null> {
  if (!rerank) return null;
  const { createHttpReranker } = await import('./rerank/http-reranker.js');
  return createHttpReranker({ config: rerank, clock, logger });
}
