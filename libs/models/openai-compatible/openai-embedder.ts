import { sleep, type Clock, type EmbeddingSettings, type Logger } from '#platform';

import { EmbeddingError, isEmbeddingError } from '../embedding-error.js';
import type { Embedder, EmbeddingInput } from '../embedder.port.js';
import { batchTexts } from '../remote/batch-texts.js';
import { checkedVector } from '../remote/checked-vector.js';
import { EmbeddingEndpoint } from './embedding-endpoint.js';
import { asEmbeddingError, endpointFailure, type EndpointFailure } from '../remote/endpoint-failure.js';
import { EndpointHealth } from '../remote/endpoint-health.js';
import { Limiter } from '../remote/limiter.js';
import { cut, passageText, queryText } from './model-input.js';
import { modelSettings, type ModelSettings } from './model-settings.js';
import { QueryCache } from '../remote/query-cache.js';

export interface OpenAiEmbedderOptions {
  readonly config: EmbeddingSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** First wait before a repeated request; doubles with each further one. Default 500 ms. */
  readonly backoffMs?: number;
}

/** UTF-16 units of one request. */
const BATCH_CHARACTERS = 256 * 1024;
/** Requests for one batch until the endpoint counts as away. */
const MOST_ATTEMPTS = 6;
/** A vector that is none seldom gets better by asking again. */
const MOST_BAD_ANSWERS = 2;
/** Pauses that the endpoint asked for, for one batch, and the longest that is granted. */
const MOST_PAUSES = 20;
const LONGEST_PAUSE_MS = 120_000;
const LONGEST_BACKOFF_MS = 16_000;
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
  private readonly endpoint: EmbeddingEndpoint;
  private readonly health: EndpointHealth;
  private readonly batches: Limiter;
  private readonly queries = new Limiter(QUERIES_AT_ONCE);
  private readonly cache = new QueryCache(QUERIES_CACHED);
  private readonly timeoutMs = this.options.config.timeoutSeconds * 1_000;

  constructor(
    private readonly options: OpenAiEmbedderOptions,
    private readonly settings: ModelSettings,
  ) {
    const { config, clock } = options;
    this.endpoint = new EmbeddingEndpoint({ ...settings, baseUrl: config.baseUrl, apiKey: config.apiKey });
    this.health = new EndpointHealth(clock);
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
    const tries = { attempts: 0, badAnswers: 0, pauses: 0 };
    for (;;) {
      try {
        return await this.batches.run(() => this.requestWhenReady(texts, signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = endpointFailure(error);
        if (failure.kind === 'too_large') return await this.embedSmaller(texts, signal, failure, error);
        const wait = this.waitAfter(failure, tries);
        if (wait === null)
          throw isEmbeddingError(error) ? error : asEmbeddingError(failure, error, failure.retryAfterMs);
        this.options.logger.debug({ status: failure.statusCode, wait_ms: wait }, 'A batch of texts is embedded again');
        if (!(await sleep(wait, signal))) throw signal.reason;
      }
    }
  }

  /** Waits in its place among the requests at once, so that a pause holds for those that were in line before it began. */
  private async requestWhenReady(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    for (let wait = this.health.pausedFor; wait > 0; wait = this.health.pausedFor) {
      if (!(await sleep(wait, signal))) throw signal.reason;
    }
    return this.request(texts, this.timeoutMs, signal);
  }

  /** Milliseconds until the batch is asked for again; null when it is not. */
  private waitAfter(
    { kind, retryAfterMs }: EndpointFailure,
    tries: { attempts: number; badAnswers: number; pauses: number },
  ): number | null {
    const backoff = this.backoff(tries.attempts + tries.pauses);
    switch (kind) {
      case 'limited': {
        tries.pauses += 1;
        const pause = retryAfterMs ?? backoff;
        if (tries.pauses > MOST_PAUSES || pause > LONGEST_PAUSE_MS) return null;
        // All that were waiting would ask at the same moment.
        return pause + Math.random() * this.backoff(0);
      }
      case 'bad_answer':
        tries.badAnswers += 1;
        return tries.badAnswers < MOST_BAD_ANSWERS ? backoff : null;
      case 'transient':
        tries.attempts += 1;
        return tries.attempts < MOST_ATTEMPTS ? Math.max(backoff, Math.min(retryAfterMs ?? 0, LONGEST_PAUSE_MS)) : null;
      default:
        return null;
    }
  }

  private backoff(attempts: number): number {
    const { backoffMs = 500 } = this.options;
    return Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** attempts) * (0.75 + Math.random() / 2);
  }

  /** Halves the batch, in the end the text: a passage is better found by its beginning than not at all. */
  private async embedSmaller(
    texts: readonly string[],
    signal: AbortSignal,
    failure: EndpointFailure,
    cause: unknown,
  ): Promise<Float32Array[]> {
    const [first = ''] = texts;
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2);
      const halves = [texts.slice(0, middle), texts.slice(middle)];
      return (await Promise.all(halves.map((half) => this.embedBatch(half, signal)))).flat();
    }
    if (first.length < SHORTEST_CUT) throw asEmbeddingError(failure, cause);
    const length = Math.floor(first.length / 2);
    this.options.logger.debug(
      { from: first.length, to: length },
      'A text was too long for the embedding model and is cut',
    );
    return this.embedBatch([cut(first, length)], signal);
  }

  private async embedOneQuery(text: string): Promise<Float32Array> {
    const signal = AbortSignal.timeout(QUERY_BUDGET_MS);
    let last: unknown;
    for (let attempt = 0; attempt < QUERY_ATTEMPTS; attempt += 1) {
      const { downFor } = this.health;
      if (downFor > 0) throw unavailable('The embedding endpoint is down.', downFor, last);
      try {
        const timeout = Math.min(this.timeoutMs, QUERY_BUDGET_MS / QUERY_ATTEMPTS);
        const [vector] = await this.queries.run(() => this.request([text], timeout, signal), signal);
        return vector as Float32Array;
      } catch (error) {
        last = error;
        const failure = endpointFailure(error);
        const { kind, retryAfterMs = 0 } = failure;
        const passes = kind === 'transient' || kind === 'bad_answer' || (kind === 'limited' && retryAfterMs <= 1_000);
        const again = passes && attempt + 1 < QUERY_ATTEMPTS && !signal.aborted;
        if (!again) throw isEmbeddingError(error) ? error : asEmbeddingError(failure, error, failure.retryAfterMs);
        await sleep(Math.max(this.backoff(0) / 4, retryAfterMs), signal);
      }
    }
    throw unavailable('The embedding endpoint did not answer.', 0, last);
  }

  /** One request, its outcome noted. */
  private async request(texts: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<Float32Array[]> {
    try {
      const vectors = await this.endpoint.embed(texts, timeoutMs, signal);
      const checked = vectors.map((vector) => checkedVector(vector, this.dimensions));
      this.health.succeeded();
      return checked;
    } catch (error) {
      const { kind, retryAfterMs = this.backoff(0) } = endpointFailure(error);
      // Noted before the place of this request goes to the next in line.
      if (kind === 'limited') this.health.pause(Math.min(retryAfterMs, LONGEST_PAUSE_MS));
      if (kind === 'transient' && !signal.aborted) this.health.failed();
      throw error;
    }
  }
}

function unavailable(message: string, retryAfterMs: number, cause: unknown): EmbeddingError {
  return new EmbeddingError(message, { retryAfter: Math.max(1, Math.ceil(retryAfterMs / 1_000)), cause });
}
