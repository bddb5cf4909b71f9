import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { modelProfile } from './model-profiles.js';
import { rank } from './rank.js';
import type { RankCandidate, RankOptions } from './rank.types.js';

const SENTENCE = 'where are idle connections to the database given back after a request has failed';
const MODEL = 'meaning-v1';

const options: RankOptions = {
  profileOf: modelProfile,
  sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
};

interface Found {
  readonly text?: string;
  readonly cosines: readonly number[];
  readonly searched?: number | null;
  /** Null where there is no vector to compare. */
  readonly model?: string | null;
  /** Model of every second chunk. Default: the same. */
  readonly otherModel?: string;
  readonly defs?: readonly string[];
  /** Terms of the query that chunks of the corpus have. Default: each. */
  readonly mentions?: (term: string) => boolean;
}

/** Returns scores with and without the step, best first. */
function scores({
  text = SENTENCE,
  cosines,
  searched = 2_000,
  defs = [],
  mentions = () => true,
  ...models
}: Found) {
  const { model = MODEL, otherModel = model } = models;
  const query = analyzeQuery(text);
  const candidates = cosines.map((cosine, at): RankCandidate => ({
    chunkId: `chunk-${String(at).padStart(3, '0')}`,
    sourceId: 'source',
    path: `src/some/file${at}.ts`,
    chunkType: 'code',
    startLine: 1,
    endLine: 9,
    contentHash: `hash-${at}`,
    length: 100,
    defines: (name) => defs.includes(name),
    termFrequencies: query.terms.map((term) => (mentions(term) ? 1 : 0)),
    cosine,
    cosineModel: (at % 2 === 0 ? model : otherModel) ?? undefined,
  }));
  const statistics = {
    chunks: 5_000,
    averageLength: 100,
    documentFrequencies: query.terms.map((term) => (mentions(term) ? 50 : 0)),
  };
  const of = (more: Partial<RankOptions>) =>
    rank(query, candidates, statistics, { ...options, ...more });
  const [plain, scaled] = [of({}), of({ searched: { chunks: searched } })];
  const [before = NaN, after = NaN] = [plain[0]?.score, scaled[0]?.score];
  return { plain, scaled, before, after, odds: after / (1 - after) / (before / (1 - before)) };
}

const many = (cosine: number, count = 200): number[] => Array.from({ length: count }, () => cosine);

describe('answerability', () => {
  it('raises the scores of a sentence that many chunks speak of, and lowers those of one that a few are near by chance', () => {
    const about = scores({ cosines: [0.4, ...many(0.24)] });
    const foreign = scores({ cosines: [0.4, ...many(0.11)] });
    expect(about.after).toBeGreaterThan(about.before + 0.05);
    expect(foreign.after).toBeLessThan(foreign.before - 0.05);
  });

  it('doubles the odds of the best score at most, and halves them at least', () => {
    expect(scores({ cosines: many(0.9) }).odds).toBeCloseTo(2, 6);
    expect(scores({ cosines: many(0.01) }).odds).toBeCloseTo(1 / 2, 6);
  });

  it('takes the same cosines for less among more chunks, of which the best are nearer in any case', () => {
    const odds = [200, 1_000, 5_000, 20_000].map(
      (searched) => scores({ cosines: many(0.2), searched }).odds,
    );
    expect(odds).toEqual([...odds].sort((a, b) => b - a));
    expect(new Set(odds).size).toBe(4);
    // A mean of 200 among 200 is that of all: .2 above the usual, times 6, and more than doubling.
    expect(odds[0]).toBeCloseTo(2, 6);
    // Among 5,000 the best 200 lie √(2·ln 25) − .39 = 2.147 deviations of .1 above the mean of all,
    // which is then −.0147.
    expect(odds[2]).toBeCloseTo(Math.exp(6 * (0.21 - 0.2147)), 3);
  });

  it('takes a few chunks for less than many, and none that is near for nothing', () => {
    const odds = [200, 100, 20, 2].map((count) => scores({ cosines: many(0.9, count) }).odds);
    [1, 1 / 2, 1 / 10, 1 / 100].forEach((share, at) => expect(odds[at]).toBeCloseTo(2 ** share, 6));
    expect(scores({ cosines: many(-0.1) }).odds).toBe(1);
  });

  it('changes no order and leaves every score within 0 and 1', () => {
    const cosine = fc.integer({ min: -20, max: 95 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(
        fc.array(cosine, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 40, max: 90_000 }),
        (cosines, n) => {
          const { plain, scaled } = scores({ cosines, searched: n });
          expect(scaled.map(({ candidate }) => candidate.chunkId)).toEqual(
            plain.map(({ candidate }) => candidate.chunkId),
          );
          for (const { score, legs } of scaled) {
            expect(score).toBeGreaterThan(0);
            expect(Math.max(score, legs.combined)).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  it('says nothing of a few words, of a name, of a file asked by its path, nor of a question that names what is defined', () => {
    const far = many(0.05);
    expect(scores({ text: 'idle connections database', cosines: far }).odds).toBe(1);
    expect(scores({ text: 'GIVE_IDLE_CONNECTIONS_BACK_AFTER_FAILURES', cosines: far }).odds).toBe(
      1,
    );
    expect(scores({ text: 'src/some/file1.ts', cosines: far }).odds).toBe(1);
    const text = `${SENTENCE} by giveBack`;
    expect(scores({ text, cosines: far }).odds).toBeLessThan(0.6);
    expect(scores({ text, cosines: far, defs: ['giveBack'] }).odds).toBe(1);
  });

  it('halves the odds of a name that nothing defines or mentions, alone or in a sentence', () => {
    const parts = (term: string): boolean => term !== 'giveback' && term !== 'give_back';
    expect(scores({ text: 'giveBack', cosines: many(0.3), mentions: parts }).odds).toBeCloseTo(
      1 / 2,
      6,
    );
    expect(scores({ text: 'giveBack', cosines: many(0.3) }).odds).toBe(1);
    expect(
      scores({ text: 'what is give_back for', cosines: many(0.3), mentions: parts }).odds,
    ).toBeLessThan(0.6);
    // Another name in the query is defined.
    const two = { text: 'giveBack or takeOver', cosines: many(0.3), mentions: parts };
    expect(scores({ ...two, defs: ['takeOver'] }).odds).toBe(1);
    // Ordinary words are not names, even with a hyphen or a capital.
    const words = { cosines: many(0.3), mentions: (term: string) => term === 'policy' };
    expect(scores({ ...words, text: 'give-back policy' }).odds).toBe(1);
    expect(scores({ ...words, text: 'Postgres policy' }).odds).toBe(1);
  });

  it('says nothing where cosines are of no model, of several or of one that was not measured, or how much was searched is not known', () => {
    const far = many(0.05);
    expect(scores({ cosines: far, model: 'hash-ngram-v1' }).odds).toBe(1);
    expect(scores({ cosines: far, model: 'nomic-embed-text@768' }).odds).toBe(1);
    expect(scores({ cosines: far, model: null }).odds).toBe(1);
    expect(scores({ cosines: far, otherModel: 'hash-ngram-v1' }).odds).toBe(1);
    expect(scores({ cosines: far, searched: null }).odds).toBe(1);
    expect(scores({ cosines: far }).odds).toBeLessThan(0.6);
  });
});
