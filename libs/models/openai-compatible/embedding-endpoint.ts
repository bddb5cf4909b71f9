import { OpenAIEmbeddings } from '@langchain/openai';

import { boundedFetch } from '../remote/bounded-fetch.js';
import { BadAnswerError } from '../remote/endpoint-failure.js';

export interface EndpointSettings {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  readonly dimensions: number;
  readonly requestedDimensions: number | undefined;
}

/** Maximum characters of a number in JSON. */
const BYTES_PER_VALUE = 26;
const BYTES_BESIDE = 64 * 1024;

const CLIENT_GRACE_MS = 1_000;

/** The request was ended because it timed out. */
export class NoAnswerInTime extends Error {
  constructor(timeoutMs: number, options: ErrorOptions) {
    super(`No answer within ${timeoutMs / 1_000} s`, options);
    this.name = 'NoAnswerInTime';
  }
}

/** The used fields of the client's requests and answers. */
interface EmbeddingRequest {
  readonly model: string;
  input: string[] | string;
}
interface EmbeddingItem {
  readonly index: number;
  readonly embedding: unknown;
}

/** Orders the vectors by the index of their texts, and rejects an answer that lacks one. */
class OrderedEmbeddings extends OpenAIEmbeddings {
  protected override async embeddingWithRetry(request: EmbeddingRequest) {
    const answer = await super.embeddingWithRetry(request);
    return {
      ...answer,
      data: inOrder(answer.data, Array.isArray(request.input) ? request.input.length : 1),
    };
  }
}

/**
 * One request to an OpenAI-compatible `/embeddings`, with a timeout, without retries, limits and
 * the check of the vectors. It does not use the process's environment. It rejects redirects,
 * because they would send the texts elsewhere. It cuts off an answer larger than the vectors can
 * be.
 */
export class EmbeddingEndpoint {
  constructor(private readonly settings: EndpointSettings) {}

  /**
   * @returns one list of numbers per text, in order.
   * @throws NoAnswerInTime; errors of the client, see {@link endpointFailure}.
   */
  async embed(
    texts: readonly string[],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<number[][]> {
    const { baseUrl, apiKey, model, dimensions, requestedDimensions } = this.settings;
    const time = AbortSignal.timeout(timeoutMs);
    const client = new OrderedEmbeddings({
      model,
      apiKey: apiKey ?? 'none',
      batchSize: texts.length,
      stripNewLines: false,
      maxRetries: 0,
      // This module's own timer says which of the two it was.
      timeout: timeoutMs + CLIENT_GRACE_MS,
      ...(requestedDimensions === undefined ? {} : { dimensions: requestedDimensions }),
      configuration: {
        baseURL: baseUrl,
        organization: null,
        project: null,
        logLevel: 'off',
        fetch: boundedFetch({
          signal: signal ? AbortSignal.any([signal, time]) : time,
          maxBytes: texts.length * dimensions * BYTES_PER_VALUE + BYTES_BESIDE,
          anonymous: apiKey === undefined,
        }),
      },
    });
    try {
      return await client.embedDocuments([...texts]);
    } catch (error) {
      if (time.aborted && signal?.aborted !== true)
        throw new NoAnswerInTime(timeoutMs, { cause: error });
      throw error;
    }
  }
}

function inOrder<Item extends EmbeddingItem>(
  data: readonly Item[] | undefined,
  count: number,
): Item[] {
  if (!Array.isArray(data) || data.length !== count)
    throw new BadAnswerError('not one vector per text');
  const items = data as readonly Item[];
  const placed = new Array<Item | undefined>(count).fill(undefined);
  items.forEach((item, at) => (placed[typeof item.index === 'number' ? item.index : at] = item));
  return placed.map((item) => {
    if (!item || !Array.isArray(item.embedding))
      throw new BadAnswerError('not one vector per text');
    return item;
  });
}
