import { readFileSync } from 'node:fs';

import type { QuestionScore } from './question-metric.js';
import type { QuestionKind } from './question-set.js';

/** A question, how it was answered, and by what. */
export interface QuestionOutcome extends QuestionScore {
  readonly repository: string;
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  readonly topScore: number;
  /** `path:first-last score` of the first five results. */
  readonly top: readonly string[];
  readonly variants: Readonly<Record<string, QuestionScore>>;
}

/** A measurement of questions, as `--json` writes it. */
export interface QuestionRun {
  readonly outcomes: readonly QuestionOutcome[];
  /** Top scores of foreign questions. */
  readonly foreign: readonly number[];
}

/**
 * Reads a run that `--json` wrote.
 *
 * @throws Error for a file of an earlier version, which has other ranks
 */
export function readRun(file: string): QuestionRun {
  const run = JSON.parse(readFileSync(file, 'utf8'), (key, value: unknown) =>
    // JSON has no Infinity.
    value === null && key.endsWith('Rank') ? Infinity : value,
  ) as QuestionRun;
  const outdated = run.outcomes.find(
    ({ fairRank }: { readonly fairRank?: number }) => fairRank === undefined,
  );
  if (outdated)
    throw new Error(`${file} must have a fairRank for each question (got none for ${outdated.id})`);
  return run;
}

/**
 * Pairs the outcomes of two runs by question, in the order of the second.
 *
 * @throws Error if a question of the second run is not in the first
 */
export function pairOutcomes(
  before: readonly QuestionOutcome[],
  after: readonly QuestionOutcome[],
): (readonly [before: QuestionOutcome, after: QuestionOutcome])[] {
  const byId = new Map(before.map((outcome) => [outcome.id, outcome]));
  return after.map((outcome) => {
    const earlier = byId.get(outcome.id);
    if (!earlier)
      throw new Error(`The runs must have the same questions (got no ${outcome.id} before)`);
    return [earlier, outcome];
  });
}
