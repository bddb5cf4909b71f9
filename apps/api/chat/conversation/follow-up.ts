import { analyseQuery } from '#retrieval';

/** A question with so many telling terms says by itself what it asks for. */
const ENOUGH_TERMS = 4;
/** Words that are taken over from the turn before, at most. */
const MOST_WORDS = 12;
const WORD = /[\p{L}\p{N}_$]+(?:[.\-/][\p{L}\p{N}_$]+)*/gu;
/** What stands for something that was named before. */
const REFERRING = new Set(
  'it its this that these those they them their he him his she her one ones there then same both former latter'.split(
    ' ',
  ),
);

/**
 * A follow-up question in words that stand alone, by rule: where it refers to something, or has fewer than four terms, the
 * telling words of the question before that it lacks are put behind it. Otherwise it is left as it is.
 * @param before the question of the turn before, as it stood alone.
 */
export function standAlone(question: string, before: string): string {
  const own = new Set(analyseQuery(question).terms);
  const words = question.match(WORD) ?? [];
  const refers = words.some((word) => REFERRING.has(word.toLowerCase()));
  if (!refers && own.size >= ENOUGH_TERMS) return question;
  const taken: string[] = [];
  for (const word of before.match(WORD) ?? []) {
    const lacking = analyseQuery(word).terms.filter((term) => !own.has(term));
    if (lacking.length === 0 || taken.length >= MOST_WORDS) continue;
    for (const term of lacking) own.add(term);
    taken.push(word);
  }
  return [question, ...taken].join(' ');
}
