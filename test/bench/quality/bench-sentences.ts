import type { SentenceEncoder } from '#models';
import { openSentenceEncoder } from '#models/sentence/open-sentence-encoder';
import { silentLogger } from '#platform';
import type { LocalModel, RankedChunk } from '#retrieval';
import { addSentences } from '#search';
import type { Candidate, LiveSource, SearchIndex } from '#search-index';

import type { Found } from './ablation.js';
import { CachedEncoder } from './cached-encoder.js';
import { searchableOf } from './searchable-of.js';

/** Passages that are stored together. */
const BATCH = 256;

/** Folders of the sentence encoder of a measurement. */
export interface EncoderOptions {
  /** Folder of installed models: `models` of a DATA_DIR. Default: measure without an encoder. */
  readonly encoder?: string;
  /** Folder that keeps vectors between runs. */
  readonly vectors: string;
}

/** Sentence vectors in a measurement, computed and fused as the service does. */
export class BenchSentences {
  private constructor(
    readonly encoder: SentenceEncoder,
    private readonly vectors: string,
  ) {}

  /**
   * Runs a measurement with the installed encoder of a folder; without a folder, with none.
   *
   * @throws Error if the folder has no installed model
   */
  static async with<T>(
    { encoder: folder, vectors }: EncoderOptions,
    measure: (sentences?: BenchSentences) => Promise<T>,
  ): Promise<T> {
    if (folder === undefined) return measure();
    const encoder = await openSentenceEncoder(folder, silentLogger);
    if (!encoder) throw new Error(`${folder} must contain an installed model; see npm run model`);
    try {
      return await measure(new BenchSentences(encoder, vectors));
    } finally {
      await encoder.close();
    }
  }

  /** Embeds every chunk of a repository. The vectors are kept under its name. */
  async refine(index: SearchIndex, live: LiveSource, name: string): Promise<void> {
    const cached = new CachedEncoder(this.encoder, this.vectors, name.replace(/[^\w.+@-]/g, '_'));
    try {
      for (;;) {
        const batch = await index.sentences?.next([live], BATCH);
        if (!batch) return;
        const vectors: Float32Array[] = [];
        for (const passage of batch.passages) vectors.push(await cached.embedPassage(passage));
        await index.sentences?.add(batch, vectors);
      }
    } finally {
      await cached.close();
    }
  }

  /** Returns a ranking with what the encoder finds, as a search fuses the two. */
  fuse(
    index: SearchIndex,
    live: LiveSource,
    model: LocalModel,
    { query, statistics, profile }: Found,
    ranked: readonly RankedChunk<Candidate>[],
  ): Promise<readonly RankedChunk<Candidate>[]> {
    const source = searchableOf(live, 0);
    return addSentences({ index: index.sentences, encoder: this.encoder }, ranked, {
      query,
      statistics,
      run: { moment: {} },
      tenants: [live.tenantId],
      scope: [{ source, priority: 1, freshnessDays: 0, isStale: false }],
      vectorFor: () => Promise.resolve(model.embed(query.terms, query.frequencies)),
      profileOf: () => profile,
    });
  }
}
