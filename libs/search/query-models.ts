import { createLocalEmbedders, type Embedder } from '#models';
import type { Config } from '#platform';
import { type ModelProfile, modelProfile } from '#retrieval';

/**
 * The models that a query can be embedded with: the configured one, and the local ones, which are
 * always at hand. Content that some other model embedded is searched by its terms alone until its
 * next sync.
 */
export class QueryModels {
  private readonly byId: ReadonlyMap<string, Embedder>;

  constructor(configured: Embedder, config: Config) {
    this.byId = new Map(
      [...createLocalEmbedders(config), configured].map((embedder) => [embedder.id, embedder]),
    );
  }

  /** Returns whether queries can be embedded with a model. */
  has(model: string): boolean {
    return this.byId.has(model);
  }

  /**
   * @returns null when the model is not at hand, or has nothing to say to the text. @throws what
   * the model throws
   */
  async embed(model: string, text: string, signal?: AbortSignal): Promise<Float32Array | null> {
    const vector = await this.byId.get(model)?.embedQuery(text, signal);
    return vector?.some((value) => value !== 0) ? vector : null;
  }

  /** Use of the model's cosines by the ranker; undefined if there are none. */
  profileOf(model: string | undefined): ModelProfile {
    const embedder = model === undefined ? undefined : this.byId.get(model);
    return embedder?.profile ?? modelProfile(model, embedder?.similarityRange);
  }
}
