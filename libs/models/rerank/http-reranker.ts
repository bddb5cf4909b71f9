import { type Clock, type Logger, type RerankSettings, Semaphore } from '#platform';

import type { EmbeddingInput } from '../embedder.port.js';
import { isModelError, ModelError } from '../model-error.js';
import { passageText } from '../openai-compatible/model-input.js';
import { postJson } from '../remote/post-json.js';
import { RemoteEndpoint } from '../remote/remote-endpoint.js';
import { checkedScores } from './checked-scores.js';
import { COHERE_FORMAT } from './cohere-format.js';
import type { RerankFormat } from './rerank-format.js';
import type { Reranker } from './reranker.port.js';
import { TEI_FORMAT } from './tei-format.js';

export interface HttpRerankerOptions {
  readonly config: RerankSettings;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** First pause before a repeated request. Default 500 ms. */
  readonly backoffMs?: number;
}

const FORMATS: Readonly<Record<RerankSettings['format'], RerankFormat>> = {
  cohere: COHERE_FORMAT,
  tei: TEI_FORMAT,
};
/** A chunk has at most 800 tokens, which are seldom more characters. */
const INPUT = { passagePrefix: '', queryPrefix: '', maxCharacters: 4_000 };
/** Room for scores and, of endpoints that return them, the documents. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const ATTEMPTS = 2;
/** Searches that the endpoint works for at once; others wait, within their own deadlines. */
const SEARCHES_AT_ONCE = 16;

/**
 * Creates a reranker behind an HTTP endpoint. One deadline covers everything, including retries.
 * After five failures in a row, late answers included, the endpoint gets no request for a while.
 */
export function createHttpReranker(options: HttpRerankerOptions): Reranker {
  return new HttpReranker(options, FORMATS[options.config.format]);
}

class HttpReranker implements Reranker {
  readonly model = this.options.config.model;
  private readonly endpoint: RemoteEndpoint;
  private readonly places = new Semaphore(SEARCHES_AT_ONCE);
  private isFailing = false;

  constructor(
    private readonly options: HttpRerankerOptions,
    private readonly format: RerankFormat,
  ) {
    this.endpoint = new RemoteEndpoint({ name: 'rerank endpoint', ...options });
  }

  async rank(
    query: string,
    passages: readonly EmbeddingInput[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    signal?.throwIfAborted();
    const order = passages.map((_, at) => at);
    if (passages.length < 2) return order;
    const texts = passages.map((passage) => passageText(passage, INPUT));
    const scores = await this.scores(query, texts, signal);
    return order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  }

  private async scores(
    query: string,
    texts: readonly string[],
    caller: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const { timeoutSeconds } = this.options.config;
    const time = AbortSignal.timeout(timeoutSeconds * 1_000);
    // The first failed part ends the others, whose scores would not be used.
    const over = new AbortController();
    const unwanted = AbortSignal.any([over.signal, ...(caller ? [caller] : [])]);
    const all = AbortSignal.any([unwanted, time]);
    const parts = partsOf(texts, this.format.maxTexts).map(
      (part) => () => this.request(query, part, all, unwanted),
    );
    try {
      const scores = await this.places.run(
        () => Promise.all(parts.map((send) => this.endpoint.promptly(send, all, ATTEMPTS))),
        all,
      );
      this.report(undefined);
      return scores.flat();
    } catch (error) {
      caller?.throwIfAborted();
      const failure = time.aborted ? late(timeoutSeconds, error) : this.endpoint.asError(error);
      this.report(failure);
      throw failure;
    } finally {
      over.abort();
    }
  }

  /** @param unwanted ends the request without a fault of the endpoint. */
  private request(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
    unwanted: AbortSignal,
  ): Promise<readonly number[]> {
    const { baseUrl, apiKey, model } = this.options.config;
    return this.endpoint.request(async () => {
      const answer = await postJson({
        url: `${baseUrl}/rerank`,
        body: this.format.body(model, query, texts),
        apiKey,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      return checkedScores(this.format.entries(answer), texts.length);
    }, unwanted);
  }

  /** Logs the first failure and the first success after it: a search does not fail by either. */
  private report(failure: ModelError | undefined): void {
    const { logger } = this.options;
    const isFailing = failure !== undefined;
    if (isFailing === this.isFailing) return;
    this.isFailing = isFailing;
    if (!failure) return logger.info({}, 'reranker: the endpoint answers again; reranking results');
    const { kind, statusCode: status } = failure;
    logger.warn(
      { kind, status, reason: failure.message },
      'reranker: no usable answer; results keep the order without it',
    );
  }
}

function late(seconds: number, cause: unknown): ModelError {
  const { statusCode } = isModelError(cause) ? cause : {};
  return new ModelError(`The rerank endpoint did not answer within ${seconds} s`, {
    kind: 'too_slow',
    statusCode,
    cause,
  });
}

/** Divides texts into parts of about equal size, each at most `most`. */
function partsOf(texts: readonly string[], most: number): (readonly string[])[] {
  const size = Math.ceil(texts.length / Math.ceil(texts.length / most));
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, at) =>
    texts.slice(at * size, (at + 1) * size),
  );
}
