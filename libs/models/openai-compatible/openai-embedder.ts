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
  /** First pause before a repeated request; doubles with each further one. Default 500 ms. */
  readonly backoffMs?: number;
}

/** UTF-16 units of one request. */
const BATCH_CHARACTERS = 256 * 1024;
/** Maximum time of a search's query vector, including retries. */
const QUERY_BUDGET_MS = 8_000;
const QUERY_ATTEMPTS = 2;
const QUERIES_AT_ONCE = 16;
const QUERIES_CACHED = 1_000;
/** Pause of passages after a timeout, as a fraction of a request's timeout. */
const REST_AFTER_TIMEOUT = 1 / 4;
/** A shorter text that is rejected as too large is not cut further. */
const MIN_CUT_LENGTH = 200;

/**
 * Creates an embedder behind an OpenAI-compatible endpoint. Passages are sent in batches, several
 * at a time, as many as the endpoint is able to answer. A failed batch is repeated alone, and one
 * that is too large, or gets no answer in time, is halved. Every vector is checked.
 * @throws ConfigError if the configuration does not fit the model.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  return new OpenAiEmbedder(options, modelSettings(options.config));
}

/** Passages to embed, with the receiver of each answer. */
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
    // The first permanently failed request ends the others, whose vectors would not be used.
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
   * @param take returns the texts when the request gets its turn, by the limits of the endpoint at
   * that time.
   */
  private async embedBatch(take: () => readonly PlacedText[], work: PassageWork): Promise<void> {
    const { endpoint } = this;
    let batch: readonly PlacedText[] = [];
    // Waits inside its slot, so that a pause also applies to requests that waited before it began.
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
   * Halves the batch, and finally the text: a passage that is found by its beginning is better than
   * none.
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
    if (text.length < MIN_CUT_LENGTH) throw refused;
    const length = Math.floor(text.length / 2);
    this.options.logger.debug(
      { from: text.length, to: length },
      'embeddings: a text is too long for the model; cutting it',
    );
    await this.embedBatch(() => [{ index, text: cut(text, length) }], work);
  }

  /** Sends one request, which adjusts the pace. */
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
        // It may still be working on a request that nobody awaits any more.
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
 * Requests several texts again in smaller requests. A single text cannot be divided, so the
 * endpoint counts as unavailable.
 */
function noAnswer(cause: NoAnswerInTime, texts: number): ModelError {
  const kind = texts > 1 ? 'too_slow' : 'transient';
  return new ModelError(`The embedding endpoint did not answer in time: ${cause.message}`, {
    kind,
    cause,
  });
}
