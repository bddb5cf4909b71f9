import type { Clock, EmbeddingSettings, Logger } from '#platform';

import type { Embedder, EmbeddingInput } from '../embedder.port.js';
import { isModelError, type ModelError } from '../model-error.js';
import { batchTexts } from '../remote/batch-texts.js';
import { checkedVector } from '../remote/checked-vector.js';
import { EmbeddingEndpoint } from './embedding-endpoint.js';
import { Limiter } from '../remote/limiter.js';
import { cut, passageText, queryText } from './model-input.js';
import { modelSettings, type ModelSettings } from './model-settings.js';
import { QueryCache } from '../remote/query-cache.js';
import { RemoteEndpoint } from '../remote/remote-endpoint.js';

export interface OpenAiEmbedderOptions {
  readonly config: EmbeddingSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** First wait before a repeated request; doubles with each further one. Default 500 ms. */
  readonly backoffMs?: number;
}

/** UTF-16 units of one request. */
const BATCH_CHARACTERS = 256 * 1024;
/** A search waits so long for the vector of its query, repeats included. */
const QUERY_BUDGET_MS = 8_000;
const QUERY_ATTEMPTS = 2;
const QUERIES_AT_ONCE = 16;
const QUERIES_CACHED = 1_000;
/** Under this length a text that is refused as too large stays refused. */
const SHORTEST_CUT = 200;

/**
 * Vectors from a model behind an OpenAI-compatible endpoint. Passages go in batches, a bounded number at a time; a batch
 * that fails is repeated alone, and one that is too large is halved. Every vector is checked before it leaves here.
 * @throws ConfigError when the configuration does not fit the model.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  return new OpenAiEmbedder(options, modelSettings(options.config));
}

class OpenAiEmbedder implements Embedder {
  readonly local = false;
  readonly id = this.settings.id;
  readonly dimensions = this.settings.dimensions;
  readonly batchSize = this.options.config.batchSize;
  readonly similarityRange = this.settings.similarityRange;
  private readonly endpoint: RemoteEndpoint;
  private readonly source: EmbeddingEndpoint;
  private readonly batches: Limiter;
  private readonly queries = new Limiter(QUERIES_AT_ONCE);
  private readonly cache = new QueryCache(QUERIES_CACHED);
  private readonly timeoutMs = this.options.config.timeoutSeconds * 1_000;

  constructor(
    private readonly options: OpenAiEmbedderOptions,
    private readonly settings: ModelSettings,
  ) {
    const { config } = options;
    this.endpoint = new RemoteEndpoint({ name: 'embedding endpoint', ...options });
    this.source = new EmbeddingEndpoint({ ...settings, baseUrl: config.baseUrl, apiKey: config.apiKey });
    this.batches = new Limiter(config.concurrency);
  }

  async embedPassages(inputs: readonly EmbeddingInput[], signal?: AbortSignal): Promise<Float32Array[]> {
    const texts = inputs.map((input) => passageText(input, this.settings));
    const bounds = { count: this.batchSize, characters: BATCH_CHARACTERS };
    // The first batch that fails for good ends the others: their vectors would not be used.
    const failed = new AbortController();
    const all = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    const vectors = await Promise.all(
      batchTexts(texts, bounds).map((batch) =>
        this.embedBatch(batch, all).catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
      ),
    );
    return vectors.flat();
  }

  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    return this.cache.get(text, () => this.embedOneQuery(queryText(text, this.settings)));
  }

  private async embedBatch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { endpoint } = this;
    // Waits in its place among the requests at once, so that a pause holds for those that were in line before it began.
    const whenReady = async () => {
      await endpoint.ready(signal);
      return this.request(texts, this.timeoutMs, signal);
    };
    try {
      return await endpoint.patiently(() => this.batches.run(whenReady, signal), signal);
    } catch (error) {
      if (!isModelError(error) || error.kind !== 'too_large') throw error;
      return await this.embedSmaller(texts, signal, error);
    }
  }

  /** Halves the batch, in the end the text: a passage is better found by its beginning than not at all. */
  private async embedSmaller(
    texts: readonly string[],
    signal: AbortSignal,
    refused: ModelError,
  ): Promise<Float32Array[]> {
    const [first = ''] = texts;
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2);
      const halves = [texts.slice(0, middle), texts.slice(middle)];
      return (await Promise.all(halves.map((half) => this.embedBatch(half, signal)))).flat();
    }
    if (first.length < SHORTEST_CUT) throw refused;
    const length = Math.floor(first.length / 2);
    this.options.logger.debug(
      { from: first.length, to: length },
      'A text was too long for the embedding model and is cut',
    );
    return this.embedBatch([cut(first, length)], signal);
  }

  private async embedOneQuery(text: string): Promise<Float32Array> {
    const signal = AbortSignal.timeout(QUERY_BUDGET_MS);
    const timeout = Math.min(this.timeoutMs, QUERY_BUDGET_MS / QUERY_ATTEMPTS);
    const request = () => this.request([text], timeout, signal);
    const [vector] = await this.endpoint.promptly(() => this.queries.run(request, signal), signal, QUERY_ATTEMPTS);
    return vector as Float32Array;
  }

  private request(texts: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<Float32Array[]> {
    return this.endpoint.request(async () => {
      const vectors = await this.source.embed(texts, timeoutMs, signal);
      return vectors.map((vector) => checkedVector(vector, this.dimensions));
    }, signal);
  }
}
