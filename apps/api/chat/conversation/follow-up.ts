import { analyzeQuery } from '#retrieval';

import type { StandaloneQuestion } from '../answer/standalone-question.js';

/**
 * A question with so many significant terms is complete by itself, unless a word of it refers to
 * another.
 */
const ENOUGH_TERMS = 4;
/** A question of so few words leaves out what it is about. */
const ELLIPTIC_WORDS = 2;
/**
 * Words that are taken over from the turn before, at most: what was asked before those is dropped
 * as the talk goes on.
 */
const MOST_WORDS = 6;
const WORD = /[\p{L}\p{N}_$]+(?:[.\-/][\p{L}\p{N}_$]+)*/gu;
/** Words that refer to something that was named before. */
// eslint-disable-next-line footnote/plain-language -- a list of words
const REFERRING = wordSet('it its this these those they them their he him his she her');
/** Words that may: in a longer question they rather belong to its own sentence. */
const PERHAPS_REFERRING = wordSet('that there one ones then same both former latter');
/** “Is there a limit?” names what it asks for. */
const EXISTENTIAL = /\b(?:is|are|was|were)\s+there\b/giu;
/** A question that begins so goes on with the one before. */
const CONTINUES = /^\W*(?:and|or|but|so|then|also|(?:what|how)\s+about)\b/iu;

/**
 * Rewrites a follow-up question so that it is complete, by rule. Significant words of the question
 * before that it lacks are appended if it refers to something, is not whole or has few of its own.
 * A question that merely has few may begin a new topic. It gets no more words than it has, so that
 * its own count for as much. A question with enough words stays as it is.
 *
 * @param before the question of the turn before, in its complete form.
 */
export function standAlone(question: string, before: string): StandaloneQuestion {
  const own = new Set(analyzeQuery(question).terms);
  const leans = leansOnBefore(question, own.size);
  if (!leans && own.size >= ENOUGH_TERMS) return { words: question, asAskedFirst: false };
  const room = leans ? MOST_WORDS : own.size;
  const taken: string[] = [];
  for (const word of before.match(WORD) ?? []) {
    if (taken.length >= room) break;
    const lacking = analyzeQuery(word).terms.filter((term) => !own.has(term));
    if (lacking.length === 0) continue;
    for (const term of lacking) own.add(term);
    taken.push(word);
  }
  return { words: [question, ...taken].join(' '), asAskedFirst: !leans };
}

/** Returns whether the question has no meaning by itself. */
function leansOnBefore(question: string, terms: number): boolean {
  const words = question.replace(EXISTENTIAL, '').toLowerCase().match(WORD) ?? [];
  if (words.some((word) => REFERRING.has(word))) return true;
  if (terms >= ENOUGH_TERMS) return false;
  const isElliptic = terms === 0 || words.length <= ELLIPTIC_WORDS || CONTINUES.test(question);
  return isElliptic || words.some((word) => PERHAPS_REFERRING.has(word));
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
