import { type BootstrapInterval, bootstrapInterval } from './bootstrap.js';
import { mean } from './metric.js';
import type { QuestionScore } from './question-metric.js';

/** A figure of a question, by which runs are compared. */
export interface Figure {
  readonly name: string;
  readonly of: (score: QuestionScore) => number;
}

export const FIGURES: readonly Figure[] = [
  { name: 'NDCG@10', of: ({ ndcg }) => ndcg },
  { name: 'recall@10', of: ({ recall }) => recall },
  { name: 'hit@1', of: ({ hitRank }) => Number(hitRank <= 1) },
  { name: 'hit@3', of: ({ hitRank }) => Number(hitRank <= 3) },
  { name: 'hit@10', of: ({ hitRank }) => Number(hitRank <= 10) },
  { name: 'file@3', of: ({ fileRank }) => Number(fileRank <= 3) },
  { name: 'file@5', of: ({ fileRank }) => Number(fileRank <= 5) },
  { name: 'passage@1', of: ({ passageRank }) => Number(passageRank <= 1) },
  { name: 'passage@5', of: ({ passageRank }) => Number(passageRank <= 5) },
  { name: 'fair@5', of: ({ fairRank }) => Number(fairRank <= 5) },
];

/** The score of a question, with the repository that a bootstrap draws it with. */
export type ComparedScore = QuestionScore & { readonly repository: string };

/** A figure before and after, and its paired difference with two 95 % intervals. */
export interface ComparedFigure {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  readonly overQuestions: BootstrapInterval;
  readonly overRepositories: BootstrapInterval;
}

/**
 * Compares each figure of two runs over the same questions. Questions of one repository are alike,
 * so the interval over repositories is usually wider than the one over questions.
 */
export function compareFigures(
  pairs: readonly (readonly [before: ComparedScore, after: ComparedScore])[],
): ComparedFigure[] {
  return FIGURES.map(({ name, of }) => {
    const differences = pairs.map(([before, after]) => ({
      repository: after.repository,
      value: of(after) - of(before),
    }));
    const repositories = [...Map.groupBy(differences, ({ repository }) => repository).values()];
    return {
      name,
      before: mean(pairs.map(([before]) => of(before))),
      after: mean(pairs.map(([, after]) => of(after))),
      difference: mean(differences.map(({ value }) => value)),
      overQuestions: bootstrapInterval(differences.map(({ value }) => [value])),
      overRepositories: bootstrapInterval(
        repositories.map((questions) => questions.map(({ value }) => value)),
      ),
    };
  });
}

/** Returns compared figures as a Markdown table. */
export function comparisonTable(figures: readonly ComparedFigure[]): string {
  const interval = ({ low, high }: BootstrapInterval): string =>
    `${low.toFixed(3)} to ${high.toFixed(3)}`;
  const rows = figures.map(
    ({ name, before, after, difference, overQuestions, overRepositories }) => [
      name,
      before.toFixed(3),
      after.toFixed(3),
      difference.toFixed(3),
      interval(overQuestions),
      interval(overRepositories),
    ],
  );
  const header = ['', 'before', 'after', 'difference', '95 % over questions', 'over repositories'];
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
