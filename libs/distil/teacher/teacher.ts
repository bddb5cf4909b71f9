import type { Embedder, EmbeddingInput } from '#models';
import type { Clock, EmbeddingSettings, Logger } from '#platform';

import { DistilError } from '../distil-error.js';
import { VectorCache } from './vector-cache.js';

/** Number of texts that are looked up, requested and passed on at once. */
const SLICE = 2_048;

export interface TeacherOptions {
  readonly settings: EmbeddingSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Folder of the cached answers. */
  readonly cacheFolder: string;
  /** First pause before a repeated request, milliseconds. */
  readonly backoffMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Receives every vector: the index of its text, and the vector at norm 1. */
export type Taught = (index: number, vector: Float32Array) => void;
/** Receives the number of finished texts. */
export type TeachingProgress = (done: number, all: number) => void;

/** The model to learn from: an embedding model behind an endpoint, with a cache of its answers. */
export interface Teacher {
  /** Its name at the endpoint. */
  readonly model: string;
  readonly dimensions: number;
  /** Texts that the endpoint embedded, without cached ones. */
  readonly asked: number;
  /** Embeds words and questions like queries. */
  embedQuestions(
    texts: readonly string[],
    taught: Taught,
    progress?: TeachingProgress,
  ): Promise<void>;
  embedPassages(
    inputs: readonly EmbeddingInput[],
    taught: Taught,
    progress?: TeachingProgress,
  ): Promise<void>;
  close(): void;
}

/** @throws ConfigError if the settings do not fit the model. */
export async function openTeacher(options: TeacherOptions): Promise<Teacher> {
  // The client is large.
  const { createOpenAiEmbedder } = await import('#models/openai-compatible/openai-embedder');
  const { modelSettings } = await import('#models/openai-compatible/model-settings');
  const { settings: config, clock, logger, backoffMs } = options;
  const parts = { clock, logger, ...(backoffMs !== undefined && { backoffMs }) };
  const passages = createOpenAiEmbedder({ config, ...parts });
  // Questions are sent in batches too. The port has batches only for passages, so they are sent as
  // passages without a file, with the query prefix.
  const { queryPrefix } = modelSettings(config);
  const questions = createOpenAiEmbedder({
    config: { ...config, passagePrefix: queryPrefix },
    ...parts,
  });
  const cache = VectorCache.open(
    options.cacheFolder,
    passages.id.split('+')[0] ?? '',
    passages.dimensions,
  );
  return new CachedTeacher(config.model, { questions, passages }, cache, options.signal);
}

class CachedTeacher implements Teacher {
  asked = 0;

  constructor(
    readonly model: string,
    private readonly embedders: { readonly questions: Embedder; readonly passages: Embedder },
    private readonly cache: VectorCache,
    private readonly signal: AbortSignal | undefined,
  ) {}

  get dimensions(): number {
    return this.embedders.passages.dimensions;
  }

  embedQuestions(
    texts: readonly string[],
    taught: Taught,
    progress?: TeachingProgress,
  ): Promise<void> {
    const inputs = texts.map((content): EmbeddingInput => ({ path: '', defs: [], content }));
    return this.embed(this.embedders.questions, inputs, taught, progress);
  }

  embedPassages(
    inputs: readonly EmbeddingInput[],
    taught: Taught,
    progress?: TeachingProgress,
  ): Promise<void> {
    return this.embed(this.embedders.passages, inputs, taught, progress);
  }

  close(): void {
    this.cache.close();
  }

  private async embed(
    embedder: Embedder,
    inputs: readonly EmbeddingInput[],
    taught: Taught,
    progress?: TeachingProgress,
  ): Promise<void> {
    for (let from = 0; from < inputs.length; from += SLICE) {
      const slice = inputs.slice(from, from + SLICE);
      const vectors = await this.embedSlice(embedder, slice);
      slice.forEach((input, at) => {
        const vector = vectors.get(keyOf(embedder, input));
        if (!vector) throw new DistilError('The endpoint returned no vector for a text');
        taught(from + at, vector);
      });
      progress?.(from + slice.length, inputs.length);
    }
  }

  /** Embeds a slice by key: a repeated text is requested once. */
  private async embedSlice(
    embedder: Embedder,
    slice: readonly EmbeddingInput[],
  ): Promise<Map<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    const missing = new Map<string, EmbeddingInput>();
    for (const input of slice) {
      const key = keyOf(embedder, input);
      const known = this.cache.get(key);
      if (known) vectors.set(key, known);
      else missing.set(key, input);
    }
    const keys = [...missing.keys()];
    await embedder.embedPassages([...missing.values()], this.signal, async (answered) => {
      const entries = answered.map(({ index, vector }) => ({
        text: keys[index] as string,
        vector,
      }));
      this.cache.add(entries);
      this.asked += entries.length;
      for (const { text, vector } of entries) vectors.set(text, vector);
    });
    return vectors;
  }
}

/** Returns the key of a vector: the model with its prefix and limits, and its input. */
function keyOf({ id }: Embedder, { path, symbol, defs, content }: EmbeddingInput): string {
  return JSON.stringify([id, path, symbol ?? null, defs, content]);
}
