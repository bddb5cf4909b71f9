import { STOP_WORDS } from '#retrieval/analysis/analyze-query';

/** Words of questions and of talk about code that say nothing about a topic. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  (
    'after again all already always any at away because before call called calls code ' +
    'defined each ever every exist exists file files find first function get gets give given ' +
    'gives handle handled handles happen happening happens kind kinds less library like lot ' +
    'made make makes many method more most much need needed needs never no off often once ' +
    'one other out over per place project put rather repo repositories repository same see ' +
    'seldom set several show some sometimes sort still take taken takes they thing things ' +
    'too two up use uses very want way ways whether whose within without yet you your'
  ).split(' '),
);

/**
 * Adverbs from adjectives: `usually`, `exactly`, `safely`, `possibly`. Nouns and verbs that end
 * alike have other letters before: `family`, `assembly`, `apply`.
 */
const ADVERB = /^[a-z]{3,}(?:[cdfghklmnrst]|[ai]b|[cfkstrv]e)ly$/;

/**
 * Returns whether a word is no evidence of the topic of a question. It is a stop word of the
 * analyzer, a word of questions, or an adverb.
 */
export function isFiller(word: string): boolean {
  const lower = word.toLowerCase();
  return STOP_WORDS.has(lower) || QUESTION_WORDS.has(lower) || ADVERB.test(lower);
}
