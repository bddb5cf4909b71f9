import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';

import { ThreadServer } from '#platform/concurrency/thread-server';

/** The start data of the encoder's thread. */
export interface EncoderThreadData {
  /** Folder whose `node_modules` has the runtime. */
  readonly runtime: string;
  readonly weights: string;
  readonly tokenizer: string;
  readonly dimensions: number;
  /** See `SentenceModel`. */
  readonly pooling: 'first' | 'mean';
}

/** A text, cut to a number of tokens. */
export interface EncoderRequest {
  readonly text: string;
  readonly tokens: number;
}

interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}
interface Runtime {
  readonly InferenceSession: { create(file: string, options: object): Promise<Session> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}
interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}
type Tokenizers = {
  readonly Tokenizer: new (tokenizer: unknown, config: unknown) => Tokenizer;
};

const data = workerData as EncoderThreadData;
const { runtime, weights, tokenizer: tokenizerFile, dimensions, pooling } = data;
const server = new ThreadServer<EncoderRequest>();

try {
  const require = createRequire(`${runtime}/package.json`);
  const { InferenceSession, Tensor } = require('onnxruntime-node') as Runtime;
  const { Tokenizer } = require('@huggingface/tokenizers') as Tokenizers;
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(tokenizerFile, 'utf8')), {});
  const session = await InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });

  const encode = async ({ text, tokens }: EncoderRequest): Promise<Float32Array> => {
    const { ids } = tokenizer.encode(text);
    // The last token ends the text.
    const kept = ids.length <= tokens ? ids : [...ids.slice(0, tokens - 1), ...ids.slice(-1)];
    const dims = [1, kept.length];
    const values = {
      input_ids: BigInt64Array.from(kept, BigInt),
      attention_mask: new BigInt64Array(kept.length).fill(1n),
      token_type_ids: new BigInt64Array(kept.length),
    };
    const feeds = Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => session.inputNames.includes(name))
        .map(([name, data]) => [name, new Tensor('int64', data, dims)]),
    );
    const output = (await session.run(feeds))[session.outputNames[0] as string];
    if (output?.data.length !== kept.length * dimensions)
      throw new Error('the model returned another output');
    const vector = pooling === 'first' ? output.data.slice(0, dimensions) : sumOf(output.data);
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / (norm || 1));
  };
  /** Adds up the vectors of all tokens; its length does not matter. */
  const sumOf = (tokens: Float32Array): Float32Array => {
    const sum = new Float32Array(dimensions);
    tokens.forEach((value, at) => (sum[at % dimensions] = (sum[at % dimensions] ?? 0) + value));
    return sum;
  };
  // One text at a time: a query waits for one passage at most.
  let last: Promise<unknown> = Promise.resolve();
  server.serve((request) => {
    const vector = last.then(() => encode(request));
    last = vector.catch(() => undefined);
    return vector;
  });
  server.opened();
} catch (error) {
  server.refused(error);
}
