import { type BootstrapInterval, bootstrapInterval } from '../bootstrap.js';
import { mean } from '../metric.js';

/** A figure of a question. */
export interface ShareFigure<T> {
  readonly name: string;
  readonly of: (score: T) => number;
}

/** A question's score, with the repository that a bootstrap draws it with. */
export interface ScoredQuestion<T> {
  readonly repository: string;
  readonly score: T;
}

export function shareFigure<T>(name: string, of: (score: T) => number): ShareFigure<T> {
  return { name, of };
}

/**
 * Returns a Markdown table of means: a row for each repository, then all questions with 95 %
 * bootstrap intervals over questions.
 */
export function figuresTable<T>(
  figures: readonly ShareFigure<T>[],
  questions: readonly ScoredQuestion<T>[],
): string {
  const rows = [...Map.groupBy(questions, ({ repository }) => repository)].map(
    ([repository, own]) => [
      repository,
      String(own.length),
      ...figures.map(({ of }) => short(mean(own.map(({ score }) => of(score))))),
    ],
  );
  const all = figures.map(({ of }) => {
    const values = questions.map(({ score }) => of(score));
    return `${short(mean(values))} (${range(bootstrapInterval(values.map((value) => [value])))})`;
  });
  return table(
    ['', 'questions', ...figures.map(({ name }) => name)],
    [...rows, ['all', String(questions.length), ...all]],
  );
}

/**
 * Returns a Markdown table of paired differences, each with a 95 % bootstrap interval over
 * questions and one over repositories.
 *
 * @throws Error if the lists have different questions
 */
export function pairedTable<T>(
  figures: readonly ShareFigure<T>[],
  before: readonly ScoredQuestion<T>[],
  after: readonly ScoredQuestion<T>[],
): string {
  if (before.length !== after.length)
    throw new Error(
      `Both lists must have the same questions (got ${before.length}, ${after.length})`,
    );
  const rows = figures.map(({ name, of }) => {
    const differences = after.map(({ repository, score }, at) => ({
      repository,
      value: of(score) - of((before[at] as ScoredQuestion<T>).score),
    }));
    const groups = Map.groupBy(differences, ({ repository }) => repository);
    return [
      name,
      short(mean(differences.map(({ value }) => value))),
      range(bootstrapInterval(differences.map(({ value }) => [value]))),
      range(bootstrapInterval([...groups.values()].map((own) => own.map(({ value }) => value)))),
    ];
  });
  return table(['', 'difference', '95 % over questions', 'over repositories'], rows);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function range({ low, high }: BootstrapInterval): string {
  return `${short(low)} to ${short(high)}`;
}

/** `.312`, as the documentation writes shares. */
function short(value: number): string {
  return value.toFixed(3).replace(/^(-?)0\./, '$1.');
}
