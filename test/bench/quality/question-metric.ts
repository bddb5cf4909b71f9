import type { RankedPlace } from './metric.js';
import type { AnswerPlace, Question } from './question-set.js';

const CUT = 10;

/**
 * Scores of a list of results for a question. Only primary places are right, and results at
 * acceptable places are skipped; `hitRank` and `fairRank` count both as right.
 */
export interface QuestionScore {
  /** Over the distinct files of the first ten results. */
  readonly ndcg: number;
  /** Share of the primary files among the first ten results. */
  readonly recall: number;
  /**
   * Rank of the first result in a primary file, by files, from 1; Infinity when none of the first
   * ten is.
   */
  readonly fileRank: number;
  /**
   * Rank of the first primary or acceptable file, by files, from 1; Infinity when none of the first
   * ten results is in one.
   */
  readonly hitRank: number;
  /**
   * Rank of the first result that shows lines of a primary passage, by results, from 1; Infinity
   * when none of the first ten does.
   */
  readonly passageRank: number;
  /**
   * Rank of the first result that shows lines of a primary or acceptable passage, by results, from
   * 1; Infinity when none of the first ten does.
   */
  readonly fairRank: number;
}

export function scoreAnswer(
  results: readonly RankedPlace[],
  question: Pick<Question, 'primary' | 'acceptable'>,
): QuestionScore {
  const first = results.slice(0, CUT);
  const wanted = new Set(question.primary.map(({ path }) => path));
  const passable = new Set(question.acceptable.map(({ path }) => path));
  const shown = [...new Set(first.map(({ path }) => path))];
  const hit = shown.findIndex((path) => wanted.has(path) || passable.has(path));
  const files = shown.filter((path) => wanted.has(path) || !passable.has(path));
  const ranks = files.flatMap((path, rank) => (wanted.has(path) ? [rank] : []));
  const passages = first.filter(
    (result) => shows(result, question.primary) || !shows(result, question.acceptable),
  );
  const fair = first.findIndex(
    (result) => shows(result, question.primary) || shows(result, question.acceptable),
  );
  const passage = passages.findIndex((result) => shows(result, question.primary));
  return {
    ndcg: gain(ranks) / gain([...wanted].map((_, rank) => rank)),
    recall: ranks.length / wanted.size,
    fileRank: (ranks[0] ?? Infinity) + 1,
    hitRank: hit === -1 ? Infinity : hit + 1,
    passageRank: passage === -1 ? Infinity : passage + 1,
    fairRank: fair === -1 ? Infinity : fair + 1,
  };
}

function gain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0);
}

/** Whether lines of a result are lines of one of the places. */
export function shows(
  { path, startLine, endLine }: RankedPlace,
  places: readonly AnswerPlace[],
): boolean {
  return places.some((place) => {
    if (place.path !== path) return false;
    if (place.lines === undefined || startLine === undefined) return true;
    return (endLine ?? startLine) >= place.lines[0] && startLine <= place.lines[1];
  });
}
