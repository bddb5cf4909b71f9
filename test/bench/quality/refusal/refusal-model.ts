import { createHash } from 'node:crypto';

import { quantile } from '../metric.js';
import { type Example, fitLogistic, type Logistic, logOdds } from './fit-logistic.js';
import { oddsOf } from './refusal-features.js';
import type { RefusalCase } from './refusal-run.js';

/** A logistic function with its threshold, and what it was fitted on. */
export interface RefusalModel {
  readonly features: readonly string[];
  readonly logistic: Logistic;
  /** Log odds under which a question is refused. */
  readonly threshold: number;
  /** SHA-256 of the cases. */
  readonly trainedOn: string;
}

/** The default of `min_evidence_score`. */
const REFUSAL_SCORE = 0.3;
/** Share of the answerable questions that the threshold refuses where it is chosen. */
const OWN_REFUSED = 0.07;
const FEATURES = ['best', 'mean', 'coverage', 'length'] as const;

/** Fits a function whose threshold refuses {@link OWN_REFUSED} of the answerable questions. */
export function fitRefusal(cases: readonly RefusalCase[]): RefusalModel {
  const sentences = cases.filter(({ isSentence }) => isSentence);
  const logistic = fitLogistic(
    sentences.map((each): Example => ({ features: featuresOf(each), isPositive: each.isOwn })),
  );
  const own = sentences.filter(({ isOwn }) => isOwn);
  return {
    features: FEATURES,
    logistic,
    threshold: quantile(
      own.map((each) => logOdds(logistic, featuresOf(each))),
      OWN_REFUSED,
    ),
    trainedOn: createHash('sha256').update(JSON.stringify(sentences)).digest('hex'),
  };
}

/**
 * Returns a number below 0 for a refused question. Without a model, and for names and a few words,
 * the score of the ranking in use decides.
 */
export function margin(model: RefusalModel | undefined, each: RefusalCase): number {
  if (!model || !each.isSentence) return oddsOf(each.topScore) - oddsOf(REFUSAL_SCORE);
  return logOdds(model.logistic, featuresOf(each)) - model.threshold;
}

function featuresOf(each: RefusalCase): number[] {
  return FEATURES.map((name) => each[name]);
}
