import { analyze } from '#retrieval';

import type { ResearchPassage } from './action.types.js';
import type { Coverage } from './check.types.js';
import { findContradictions } from './find-contradictions.js';
import type { Understanding } from './question.types.js';
import { isFiller } from './question-fillers.js';
import { coveredShare, passageTerms, termWeights } from './term-weights.js';

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Input of the check. */
export interface CheckInput {
  readonly understanding: Understanding;
  /** Attached repositories, as `owner/name`. */
  readonly repositories: readonly string[];
  /** Merged passages, best first. */
  readonly passages: readonly ResearchPassage[];
}

/** Returns which parts of the question the passages cover, and where they contradict each other. */
export function checkCoverage({ understanding, repositories, passages }: CheckInput): Coverage {
  const { terms, identifiers, paths, errors } = understanding;
  const words = wordsByTerm(understanding.question);
  const has = (term: string): boolean => passages.some((each) => passageTerms(each).has(term));
  const mentions = (text: string): boolean => passages.some((each) => hasText(each, text));
  const named = [...new Set([...identifiers, ...paths, ...errors])];
  const inNames = new Set(named.flatMap((name) => analyze(name)));
  const parts: readonly (readonly [string, boolean])[] = [
    ...named.map((name) => [name, mentions(name)] as const),
    ...terms
      .filter((term) => !inNames.has(term))
      .map((term) => [words.get(term) ?? term, term] as const)
      .filter(([word]) => !isFiller(word))
      .map(([word, term]) => [word, has(term)] as const),
  ];
  const weights = termWeights(terms, passages);
  return {
    covered: parts.filter(([, found]) => found).map(([part]) => part),
    uncovered: parts.filter(([, found]) => !found).map(([part]) => part),
    bestShare: Math.max(0, ...passages.map((each) => coveredShare(each, weights))),
    repositoriesWithout: repositories.filter((repo) =>
      passages.every((each) => each.repo !== repo),
    ),
    contradictions: findContradictions(passages, new Set(terms)),
  };
}

/** Returns whether a passage has a name: as written, or its last part as a word. */
function hasText({ result: { content, citation } }: ResearchPassage, text: string): boolean {
  const place = `${citation.path}\n${citation.symbol ?? ''}`;
  if (content.includes(text) || place.includes(text)) return true;
  const last = text.split(/\.|::|#|->/).at(-1) ?? text;
  const inWords = (where: string): boolean =>
    (where.match(WORD) ?? ([] as string[])).includes(last);
  return last !== text && (inWords(citation.symbol ?? '') || inWords(content));
}

/** Returns the first word of the question for each of its terms. */
function wordsByTerm(question: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const word of question.match(/[\p{L}\p{N}_$]+/gu) ?? []) {
    for (const term of analyze(word)) if (!words.has(term)) words.set(term, word);
  }
  return words;
}
