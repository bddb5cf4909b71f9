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

/** A number in JSON takes no more characters than this. */
const BYTES_PER_VALUE = 26;
const BYTES_BESIDE = 64 * 1024;

const CLIENT_GRACE_MS = 1_000;

/** The request was ended because its time was up. */
export class NoAnswerInTime extends Error {
  constructor(timeoutMs: number, options: ErrorOptions) {
    super(`No answer within ${timeoutMs / 1_000} s`, options);
    this.name = 'NoAnswerInTime';
  }
}

/** What this file reads and writes of the client's requests and answers. */
interface EmbeddingRequest {
  readonly model: string;
  input: string[] | string;
}
interface EmbeddingItem {
  readonly index: number;
  readonly embedding: unknown;
}

/**
 * Puts the vectors in the order of the texts by their index, and takes no answer that lacks one.
 */
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
 * One request to an OpenAI-compatible `/embeddings`, once, within a time: retries, limits and the
 * check of the vectors are the caller's. Nothing of the process's environment is used, redirects
 * are refused (they would carry the texts elsewhere), and an answer larger than the vectors can be
 * is cut off.
 */
export class EmbeddingEndpoint {
  constructor(private readonly settings: EndpointSettings) {}

  /**
   * @returns one list of numbers a text, in order.
   * @throws NoAnswerInTime; what the client throws, see {@link endpointFailure}.
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
      // Our own timer says which of the two it was.
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
    throw new BadAnswerError('not one vector a text');
  const items = data as readonly Item[];
  const placed = new Array<Item | undefined>(count).fill(undefined);
  items.forEach((item, at) => (placed[typeof item.index === 'number' ? item.index : at] = item));
  return placed.map((item) => {
    if (!item || !Array.isArray(item.embedding)) throw new BadAnswerError('not one vector a text');
    return item;
  });
}
