import { ModelError } from '../model-error.js';
import type { AnswerEntry } from './rerank-format.js';

/**
 * Returns one score for each text, in the order of the texts.
 * @throws ModelError `bad_answer` unless each text has exactly one finite score.
 */
export function checkedScores(
  entries: readonly AnswerEntry[] | undefined,
  texts: number,
): readonly number[] {
  if (entries?.length !== texts) throw invalid('does not have one score for each passage');
  const scores = new Array<number | undefined>(texts).fill(undefined);
  for (const { index, score } of entries) {
    if (typeof index !== 'number' || !(index in scores))
      throw invalid('names a passage that was not sent');
    if (scores[index] !== undefined) throw invalid('names a passage twice');
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw invalid('has a score that is not a number');
    scores[index] = score;
  }
  return scores as readonly number[];
}

function invalid(reason: string): ModelError {
  return new ModelError(`The answer of the rerank endpoint ${reason}`, { kind: 'bad_answer' });
}
