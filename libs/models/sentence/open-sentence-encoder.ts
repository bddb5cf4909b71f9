import { join } from 'node:path';

import { FootnoteError } from '#contracts';
import { ConfigError, type Logger, ThreadClient } from '#platform';

import type { EmbeddingInput } from '../embedder.port.js';
import { installedModel } from './installed-model.js';
import type { SentenceEncoder } from './sentence-encoder.port.js';
import type { EncoderRequest, EncoderThreadData } from './sentence-encoder.worker.js';
import {
  RUNTIME_FOLDER,
  type SentenceModel,
  TOKENIZER_FILE,
  WEIGHTS_FILE,
} from './sentence-models.js';

const QUERY_TOKENS = 64;
const PASSAGE_TOKENS = 96;
/** Characters of a passage that are tokenized; 96 tokens need fewer. */
const PASSAGE_CHARACTERS = 1_200;
/** Raised with any change of the input. */
const INPUT_VERSION = 1;

const OPEN_TIMEOUT_MS = 60_000;
const TIMEOUT_MS = 15_000;

/**
 * Opens the sentence encoder that is installed in a folder; null without one. The encoder runs in a
 * thread of its own.
 * @throws ConfigError if the installed files cannot be used.
 */
export async function openSentenceEncoder(
  folder: string,
  logger: Logger,
): Promise<SentenceEncoder | null> {
  try {
    const installed = await installedModel(folder);
    if (!installed) return null;
    const { model, build } = installed;
    const id = `${model.name}-${PASSAGE_TOKENS}-v${INPUT_VERSION}`;
    const data: EncoderThreadData = {
      runtime: join(build, RUNTIME_FOLDER),
      weights: join(build, WEIGHTS_FILE),
      tokenizer: join(build, TOKENIZER_FILE),
      dimensions: model.dimensions,
      pooling: model.pooling,
    };
    const encoder = new ThreadedEncoder(id, model, data, logger);
    await encoder.open();
    return encoder;
  } catch (error) {
    throw new ConfigError(
      `The sentence model in ${folder} cannot be used; install it again or remove the folder: ` +
        (error instanceof Error ? error.message : String(error)),
    );
  }
}

/** Returns the text that is embedded for a passage: path, symbol, then the text. */
export function passageText({ path, symbol, defs, content }: EmbeddingInput): string {
  const header = [path, symbol ?? defs.join(' ')].filter((line) => line !== '').join('\n');
  return `${header}\n${content}`.slice(0, PASSAGE_CHARACTERS);
}

class ThreadedEncoder implements SentenceEncoder {
  private thread: ThreadClient<EncoderRequest> | undefined;
  private opening: Promise<ThreadClient<EncoderRequest>> | undefined;
  private closed = false;

  constructor(
    readonly id: string,
    private readonly model: Pick<SentenceModel, 'dimensions' | 'prefixes'>,
    private readonly data: EncoderThreadData,
    private readonly logger: Logger,
  ) {}

  get dimensions(): number {
    return this.model.dimensions;
  }

  async open(): Promise<void> {
    await this.living();
  }

  embedQuery(text: string): Promise<Float32Array> {
    return this.encode({ text: `${this.model.prefixes.query}${text}`, tokens: QUERY_TOKENS });
  }

  embedPassage(input: EmbeddingInput): Promise<Float32Array> {
    const text = `${this.model.prefixes.passage}${passageText(input)}`;
    return this.encode({ text, tokens: PASSAGE_TOKENS });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.thread?.close();
  }

  private async encode(request: EncoderRequest): Promise<Float32Array> {
    const thread = await this.living();
    return thread.ask<Float32Array>(request, { timeoutMs: TIMEOUT_MS });
  }

  /** Returns the thread; starts a new one after a death. */
  private async living(): Promise<ThreadClient<EncoderRequest>> {
    if (this.closed) throw unavailable(new Error('the encoder is closed'));
    if (this.thread && !this.thread.isOver) return this.thread;
    this.opening ??= this.start().finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async start(): Promise<ThreadClient<EncoderRequest>> {
    const thread = new ThreadClient<EncoderRequest>({
      entry: new URL('./sentence-encoder.worker.js', import.meta.url),
      name: 'sentence-encoder',
      workerData: this.data,
      unref: true,
      lateEnds: true,
      maxPending: 256,
      errorFor: (_, cause) => unavailable(cause),
    });
    await thread.opened({ timeoutMs: OPEN_TIMEOUT_MS });
    void thread.died.then((reason) =>
      this.logger.warn(
        { err: reason },
        'sentence encoder: thread ended; the next text restarts it',
      ),
    );
    this.thread = thread;
    return thread;
  }
}

function unavailable(cause: Error): FootnoteError {
  return new FootnoteError('engine_unavailable', 'The sentence encoder restarts; retry in 1 s', {
    retryAfter: 1,
    cause,
  });
}
