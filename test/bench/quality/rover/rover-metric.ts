import { shows } from '../question-metric.js';
import type { CrossQuestion } from './cross-repository-set.js';

/** A citation, as far as scoring needs it. */
export interface CitedSide {
  readonly repo: string;
  readonly path: string;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}

/** The sides of a question that an answer cites. */
export interface SideScore {
  /** Every repository of the question is cited at one of its places. */
  readonly both: boolean;
  /** At least one repository is. */
  readonly one: boolean;
  /** Every repository is cited in a file of one of its places, on any lines. */
  readonly bothFiles: boolean;
}

/** Scores which sides of a question the citations of its answer show. */
export function scoreSides(
  { places }: Pick<CrossQuestion, 'places'>,
  cited: readonly CitedSide[],
): SideScore {
  const sides = [...Map.groupBy(places, ({ repo }) => repo)].map(([repo, own]) => {
    const here = cited.filter((each) => each.repo === repo);
    const files = new Set(own.map(({ path }) => path));
    return {
      place: here.some((each) => shows(each, own)),
      file: here.some(({ path }) => files.has(path)),
    };
  });
  return {
    both: sides.every(({ place }) => place),
    one: sides.some(({ place }) => place),
    bothFiles: sides.every(({ file }) => file),
  };
}
