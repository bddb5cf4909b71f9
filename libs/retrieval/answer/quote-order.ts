import { analyze } from '../analysis/analyze.js';
import type { TermWeights } from './best-window.js';
import { docComment } from './doc-comment.js';
import type { ReadPassage } from './read-passages.js';

/**
 * Place in the given order whose passage counts half: two that cover the question equally stay in
 * that order.
 */
const HALF_PLACE = 10;

/** Orders passages by their share of the question, the highest first. */
export function byCoverage(a: ReadPassage, b: ReadPassage): number {
  return valueOf(b) - valueOf(a) || a.at - b.at;
}

/**
 * Moves configuration behind the functions whose comment has the rarest found term of a question.
 * Comments of configuration name a subject in passing, and the function implements it. All other
 * passages stay in their order.
 */
export function afterFunctions(
  ordered: readonly ReadPassage[],
  wanted: TermWeights,
): readonly ReadPassage[] {
  const rarest = rarestFound(ordered, wanted);
  if (rarest === undefined || !ordered.some(({ passage }) => passage.isConfiguration))
    return ordered;
  const last = ordered.findLastIndex((each) => explains(each, rarest));
  const before = ordered.slice(0, last + 1);
  return [
    ...before.filter(({ passage }) => !passage.isConfiguration),
    ...before.filter(({ passage }) => passage.isConfiguration),
    ...ordered.slice(last + 1),
  ];
}

function valueOf({ covered, together, at }: ReadPassage): number {
  return (covered + together) / (1 + at / HALF_PLACE);
}

function rarestFound(found: readonly ReadPassage[], wanted: TermWeights): string | undefined {
  const terms = new Set(found.flatMap(({ named, asked }) => [...named, ...asked.flat()]));
  let rarest: string | undefined;
  let most = 0;
  for (const term of terms) {
    const weight = wanted.get(term) ?? 0;
    if (weight > most) [rarest, most] = [term, weight];
  }
  return rarest;
}

/** Returns whether a passage is a definition whose comment has a term. */
function explains({ passage, lines }: ReadPassage, term: string): boolean {
  const { symbol, isProse = false, isConfiguration = false } = passage;
  if (symbol === undefined || isProse || isConfiguration) return false;
  return analyze(docComment(lines).text).includes(term);
}
