import type { GivenAnswer } from './ask-questions.js';
import { shows } from './question-metric.js';
import type { Question } from './question-set.js';

/** A place that an answer cites: the passage that the mark stands for, as `citations` has it. */
export interface CitedPlace {
  readonly path: string;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}

/** The scores of the citations of an answer. */
export interface AnswerScore {
  /** A cited passage has lines of a primary passage. */
  readonly right: boolean;
  /** … of a primary or an acceptable one. */
  readonly passable: boolean;
  /** A cited passage is of a file that has a primary one. */
  readonly rightFile: boolean;
  /** The passage cited first is of a file that has a primary one. */
  readonly firstFile: boolean;
  /** The passage cited first is right. */
  readonly firstRight: boolean;
  /** The passage cited first is right or acceptable. */
  readonly firstPassable: boolean;
  /**
   * Lines that the answer itself names, `path:first-last`, have lines of a primary passage: fewer
   * than the passage's.
   */
  readonly namedRight: boolean;
  readonly words: number;
  readonly citations: number;
}

const NAMED = /`([^`\n]+?):(\d+)(?:-(\d+))?`/g;

export function scoreCitations(
  { text, evidence, cited }: GivenAnswer,
  question: Question,
): AnswerScore {
  const places = citedPlaces({ evidence, cited });
  const passable = [...question.primary, ...question.acceptable];
  const named = [...text.matchAll(NAMED)].map(([, path = '', first, last = first]): CitedPlace => {
    return { path, startLine: Number(first), endLine: Number(last) };
  });
  const files = new Set(question.primary.map(({ path }) => path));
  return {
    right: places.some((place) => shows(place, question.primary)),
    passable: places.some((place) => shows(place, passable)),
    rightFile: places.some(({ path }) => files.has(path)),
    firstFile: places.slice(0, 1).some(({ path }) => files.has(path)),
    firstRight: places.slice(0, 1).some((place) => shows(place, question.primary)),
    firstPassable: places.slice(0, 1).some((place) => shows(place, passable)),
    namedRight: named.some((place) => shows(place, question.primary)),
    words: text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    citations: places.length,
  };
}

/** In the order of their first marks. */
export function citedPlaces({
  evidence,
  cited,
}: Pick<GivenAnswer, 'evidence' | 'cited'>): CitedPlace[] {
  return cited.flatMap((number) => {
    const passage = evidence[number - 1];
    if (!passage) return [];
    const { path, startLine, content } = passage;
    const endLine =
      startLine === undefined ? undefined : startLine + content.split('\n').length - 1;
    return [{ path, startLine, endLine }];
  });
}
