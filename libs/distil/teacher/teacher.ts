import type { Embedder, EmbeddingInput } from '#models';
import type { Clock, EmbeddingSettings, Logger } from '#platform';

import { DistilError } from '../distil-error.js';
import { VectorCache } from './vector-cache.js';

/** Texts that are looked up, asked for and handed on at once. */
const SLICE = 2_048;

export interface TeacherOptions {
  readonly settings: EmbeddingSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Folder of what was answered already. */
  readonly cacheFolder: string;
  /** First wait before a repeated request, milliseconds. */
  readonly backoffMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Told of every vector: which of the texts, and the vector at norm 1. */
export type Taught = (index: number, vector: Float32Array) => void;
/** Told how many of the texts are done. */
export type TeachingProgress = (done: number, all: number) => void;

/**
 * The model that is learnt from: an embedding model behind an endpoint, with a memory of what it
 * answered.
 */
export interface Teacher {
  /** Its name at the endpoint. */
  readonly model: string;
  readonly dimensions: number;
  /** Texts that the endpoint was asked for; those in the cache are not among them. */
  readonly asked: number;
  /** Words and questions: as the model reads queries. */
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

/** @throws ConfigError when the settings do not fit the model */
export async function openTeacher(options: TeacherOptions): Promise<Teacher> {
  // The client is large.
  const { createOpenAiEmbedder } = await import('#models/openai-compatible/openai-embedder');
  const { modelSettings } = await import('#models/openai-compatible/model-settings');
  const { settings: config, clock, logger, backoffMs } = options;
  const parts = { clock, logger, ...(backoffMs !== undefined && { backoffMs }) };
  const passages = createOpenAiEmbedder({ config, ...parts });
  // Questions go in batches too, which the port has for passages alone: as passages of no file,
  // behind the queries' prefix.
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
        if (!vector) throw new DistilError('The endpoint gave no vector for a text.');
        taught(from + at, vector);
      });
      progress?.(from + slice.length, inputs.length);
    }
  }

  /** By key: a text that stands twice in the slice is asked for once. */
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

/** What decides the vector: the model with its prefix and limits, and what it reads. */
function keyOf({ id }: Embedder, { path, symbol, defs, content }: EmbeddingInput): string {
  return JSON.stringify([id, path, symbol ?? null, defs, content]);
}
