import type { Confidence } from '#contracts';
import { evidenceQuality } from '#retrieval';

import type { ResearchPassage } from '../plan/action.types.js';
import type { Coverage } from '../plan/check.types.js';
import type { Understanding } from '../plan/question.types.js';

/** A repository that was not read, with the reason as a sentence without a full stop. */
export interface UnreadRepository {
  readonly repo: string;
  readonly reason: string;
}

/** Input of the judgement on a whole answer. */
export interface OutcomeInput {
  readonly understanding: Understanding;
  readonly coverage: Coverage;
  /** Attached repositories, as `owner/name`. */
  readonly repositories: readonly string[];
  readonly unread: readonly UnreadRepository[];
  /** Passages that the claims cite. */
  readonly cited: readonly ResearchPassage[];
}

/** Share of the question that the best passage must cover for more than low confidence. */
const LEAST_SHARE = 0.5;
/** Uncovered words that a sentence lists. */
const MOST_WORDS = 6;
const ORDER: readonly Confidence[] = ['insufficient', 'low', 'medium', 'high'];

/** Returns one sentence for each part of the question without evidence. */
export function notFound({
  understanding,
  coverage,
  repositories,
  unread,
  cited,
}: OutcomeInput): string[] {
  const named = new Set([
    ...understanding.identifiers,
    ...understanding.paths,
    ...understanding.errors,
  ]);
  const names = coverage.uncovered.filter((part) => named.has(part));
  const words = coverage.uncovered.filter((part) => !named.has(part)).slice(0, MOST_WORDS);
  const silent = repositories.filter((repo) => cited.every((passage) => passage.repo !== repo));
  return [
    ...names.map((name) => `No passage has ${code(name)}.`),
    ...(words.length > 0
      ? [`No passage has these words of the question: ${words.join(', ')}.`]
      : []),
    ...(names.length === 0 && words.length === 0 && isThin(coverage)
      ? ['No passage covers the question as a whole.']
      : []),
    ...silent.map((repo) => `Nothing in ${code(repo)} answers the question.`),
    ...unread.map(({ repo, reason }) => `${code(repo)} was not read: ${reason}.`),
  ];
}

/**
 * Returns the confidence of an answer: that of its evidence. It is at most low if a name of the
 * question is in no passage, or no passage covers half of the question.
 */
export function confidenceOf({
  understanding,
  coverage,
  repositories,
  cited,
}: OutcomeInput): Confidence {
  if (cited.length === 0) return 'insufficient';
  const evidence = evidenceQuality({
    results: cited.map(({ result }) => result),
    topK: cited.length,
    hasConflicts: coverage.contradictions.length > 0,
  }).confidence;
  const named = [...understanding.identifiers, ...understanding.paths];
  const lacksName = coverage.uncovered.some((part) => named.includes(part));
  if (lacksName || isThin(coverage)) return lower(evidence, 'low');
  const isOneSided = repositories.some((repo) => cited.every((each) => each.repo !== repo));
  return isOneSided || coverage.contradictions.length > 0 ? lower(evidence, 'medium') : evidence;
}

function isThin({ bestShare }: Coverage): boolean {
  return bestShare < LEAST_SHARE;
}

function lower(one: Confidence, other: Confidence): Confidence {
  return ORDER.indexOf(one) < ORDER.indexOf(other) ? one : other;
}

function code(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ').trim()}\``;
}
