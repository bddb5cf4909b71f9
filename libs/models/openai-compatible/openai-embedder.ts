import { type Clock, type EmbeddingSettings, type Logger, Semaphore } from '#platform';

import type { Embedder, EmbeddingInput, PlacedVector } from '../embedder.port.js';
import { isModelError, ModelError } from '../model-error.js';
import { checkedVector } from '../remote/checked-vector.js';
import { Pace } from '../remote/pace.js';
import { QueryCache } from '../remote/query-cache.js';
import { RemoteEndpoint } from '../remote/remote-endpoint.js';
import { type PlacedText, TextQueue } from '../remote/text-queue.js';
import { EmbeddingEndpoint, NoAnswerInTime } from './embedding-endpoint.js';
import { cut, passageText, queryText } from './model-input.js';
import { type ModelSettings, modelSettings } from './model-settings.js';

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
/** After a timeout passages wait for this share of the time that a request may take. */
const REST_AFTER_TIMEOUT = 1 / 4;
/** Under this length a text that is refused as too large stays refused. */
const SHORTEST_CUT = 200;

/**
 * Vectors from a model behind an OpenAI-compatible endpoint. Passages go in batches, several at a
 * time, as many as the endpoint is found to manage; a batch that fails is repeated alone, and one
 * that is too large, or gets no answer in time, is halved. Every vector is checked before it leaves
 * here.
 * @throws ConfigError when the configuration does not fit the model.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  return new OpenAiEmbedder(options, modelSettings(options.config));
}

/** What is asked for passages, and who is told of each answer. */
interface PassageWork {
  readonly signal: AbortSignal;
  readonly answered: (vectors: readonly PlacedVector[]) => Promise<void>;
}

class OpenAiEmbedder implements Embedder {
  readonly local = false;
  readonly id = this.settings.id;
  readonly dimensions = this.settings.dimensions;
  readonly similarityRange = this.settings.similarityRange;
  private readonly endpoint: RemoteEndpoint;
  private readonly source: EmbeddingEndpoint;
  private readonly pace: Pace;
  private readonly batches: Semaphore;
  private readonly queries = new Semaphore(QUERIES_AT_ONCE);
  private readonly cache = new QueryCache(QUERIES_CACHED);
  private readonly timeoutMs = this.options.config.timeoutSeconds * 1_000;

  constructor(
    private readonly options: OpenAiEmbedderOptions,
    private readonly settings: ModelSettings,
  ) {
    const { config } = options;
    this.endpoint = new RemoteEndpoint({ name: 'embedding endpoint', ...options });
    this.source = new EmbeddingEndpoint({
      ...settings,
      baseUrl: config.baseUrl,
      apiKey: config.apiKey,
    });
    const { batchSize: batch, concurrency } = config;
    this.pace = new Pace({ batch, concurrency, timeoutMs: this.timeoutMs });
    this.batches = new Semaphore(() => this.pace.concurrency);
  }

  async embedPassages(
    inputs: readonly EmbeddingInput[],
    signal?: AbortSignal,
    answered: (vectors: readonly PlacedVector[]) => Promise<void> = async () => undefined,
  ): Promise<Float32Array[]> {
    const texts = inputs.map((input) => passageText(input, this.settings));
    const queue = new TextQueue(texts, BATCH_CHARACTERS);
    const vectors = new Array<Float32Array>(texts.length);
    // The first request that fails for good ends the others: their vectors would not be used.
    const failed = new AbortController();
    const work: PassageWork = {
      signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal,
      answered: async (placed) => {
        for (const { index, vector } of placed) vectors[index] = vector;
        await answered(placed);
      },
    };
    const lane = async () => {
      while (!queue.isEmpty) await this.embedBatch(() => queue.take(this.pace.batch), work);
    };
    const lanes = Array.from(
      { length: Math.min(this.options.config.concurrency, texts.length) },
      () =>
        lane().catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
    );
    await Promise.allSettled(lanes);
    await Promise.all(lanes);
    return vectors;
  }

  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    return this.cache.get(text, () => this.embedOneQuery(queryText(text, this.settings)));
  }

  /**
   * @param take gives the texts when the request comes to its turn, by what the endpoint is known
   * to manage then.
   */
  private async embedBatch(take: () => readonly PlacedText[], work: PassageWork): Promise<void> {
    const { endpoint } = this;
    let batch: readonly PlacedText[] = [];
    // Waits in its place among the requests at once, so that a pause holds for those that were in
    // line before it began.
    const whenReady = async () => {
      await endpoint.ready(work.signal);
      if (batch.length === 0) batch = take();
      return this.requestPassages(batch, work.signal);
    };
    try {
      const vectors = await endpoint.patiently(
        () => this.batches.run(whenReady, work.signal),
        work.signal,
      );
      await work.answered(vectors);
    } catch (error) {
      if (!isModelError(error) || !(error.kind === 'too_large' || error.kind === 'too_slow'))
        throw error;
      await this.embedSmaller(batch, work, error);
    }
  }

  /**
   * Halves the batch, in the end the text: a passage is better found by its beginning than not at
   * all.
   */
  private async embedSmaller(
    batch: readonly PlacedText[],
    work: PassageWork,
    refused: ModelError,
  ): Promise<void> {
    const [first] = batch;
    if (!first) throw refused;
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      for (const half of [batch.slice(0, middle), batch.slice(middle)])
        await this.embedBatch(() => half, work);
      return;
    }
    const { index, text } = first;
    if (text.length < SHORTEST_CUT) throw refused;
    const length = Math.floor(text.length / 2);
    this.options.logger.debug(
      { from: text.length, to: length },
      'A text was too long for the embedding model and is cut',
    );
    await this.embedBatch(() => [{ index, text: cut(text, length) }], work);
  }

  /** One request, from which the pace is learnt. */
  private async requestPassages(
    batch: readonly PlacedText[],
    signal: AbortSignal,
  ): Promise<PlacedVector[]> {
    if (batch.length === 0) return [];
    const { pace, endpoint, timeoutMs } = this;
    const { clock } = this.options;
    const since = clock.monotonic();
    try {
      const vectors = await this.request(
        batch.map(({ text }) => text),
        timeoutMs,
        signal,
      );
      pace.answered(batch.length, clock.monotonic() - since);
      return vectors.map((vector, at) => ({ index: (batch[at] as PlacedText).index, vector }));
    } catch (error) {
      signal.throwIfAborted();
      const { kind, statusCode } = endpoint.failureOf(error);
      if (isModelError(error) && error.cause instanceof NoAnswerInTime) {
        pace.timedOut(batch.length);
        // It may still be at work on what nobody waits for any more.
        endpoint.rest(timeoutMs * REST_AFTER_TIMEOUT);
      } else if (kind === 'limited' || (kind === 'transient' && statusCode !== undefined))
        pace.overloaded();
      throw error;
    }
  }

  private async embedOneQuery(text: string): Promise<Float32Array> {
    const signal = AbortSignal.timeout(QUERY_BUDGET_MS);
    const timeout = Math.min(this.timeoutMs, QUERY_BUDGET_MS / QUERY_ATTEMPTS);
    const request = () => this.request([text], timeout, signal);
    const [vector] = await this.endpoint.promptly(
      () => this.queries.run(request, signal),
      signal,
      QUERY_ATTEMPTS,
    );
    return vector as Float32Array;
  }

  private request(
    texts: readonly string[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    return this.endpoint.request(async () => {
      const vectors = await this.source.embed(texts, timeoutMs, signal).catch((error: unknown) => {
        throw error instanceof NoAnswerInTime ? noAnswer(error, texts.length) : error;
      });
      return vectors.map((vector) => checkedVector(vector, this.dimensions));
    }, signal);
  }
}

/**
 * Several texts are asked for again in smaller requests; one alone cannot be, so that the endpoint
 * counts as away.
 */
function noAnswer(cause: NoAnswerInTime, texts: number): ModelError {
  const kind = texts > 1 ? 'too_slow' : 'transient';
  return new ModelError(`The embedding endpoint gave no answer in time: ${cause.message}.`, {
    kind,
    cause,
  });
}
