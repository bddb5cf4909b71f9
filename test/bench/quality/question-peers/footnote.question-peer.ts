import { quantize } from '#retrieval';
import { analyzeChunks, openSegmentIndex, type QuantizedVectors, withVectors } from '#search-index';

import { type Found, rankBy, type Variant } from '../ablation.js';
import { indexPart } from '../index-set.js';
import { findBy } from '../open-set.js';
import type { EmbeddedSet, QuestionPeer, RankedAnswer } from './question-peer.js';

const STEPS = ['names', 'coherence', 'coverage', 'priors', 'answerability', 'saturation'] as const;

const NO_STEP: Variant = { name: 'Footnote without its steps', without: STEPS };
const WORDS: Variant = {
  name: "BM25 of Footnote's index",
  weights: { lexical: 1, semantic: 0 },
  without: STEPS,
};
const VECTORS: Variant = {
  name: 'vectors alone',
  weights: { lexical: 0, semantic: 1 },
  without: STEPS,
};

/**
 * Footnote's ranking; both of its legs without any step of it; its words alone without them, which
 * is BM25; and its vectors alone, by cosine.
 */
export const footnoteQuestionPeer: QuestionPeer = {
  about: `Footnote: the whole ranking, and its two legs without names, coherence, priors, answerability and saturation; ${WORDS.name}: identifiers cut into parts, light stems, names × 3, k1 1.2, b .75, no step of the ranking`,
  async open(set, folder) {
    const index = await openSegmentIndex({ directory: folder });
    const part = withVectors(analyzeChunks(set.chunks, null), quantized(set));
    const { model, repository, revision } = set;
    const live = await indexPart({ name: repository, revision }, part, model, index);
    return {
      async ask({ text, vector }) {
        const found = await findBy(index, live, {
          text,
          profile: model.profile,
          embed: () => Promise.resolve(vector),
        });
        return new Map([
          [`Footnote, ${model.id}`, { ...answer(found), isGrouped: true }],
          [`${NO_STEP.name}, ${model.id}`, answer(found, NO_STEP)],
          [WORDS.name, answer(found, WORDS)],
          [`${model.id}, ${VECTORS.name}`, answer(found, VECTORS)],
        ]);
      },
      close: () => index.close(),
    };
  },
};

function answer(found: Found, variant?: Variant): RankedAnswer {
  const ranked = rankBy(found, variant);
  return { places: ranked.map(({ candidate }) => candidate), topScore: ranked[0]?.score ?? 0 };
}

function quantized({ model: { id, dimensions }, vectors }: EmbeddedSet): QuantizedVectors {
  const values = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  vectors.forEach((vector, at) => {
    const { q, scale } = quantize(vector);
    values.set(q, at * dimensions);
    scales[at] = scale;
  });
  return { embedderId: id, dimensions, values, scales };
}
