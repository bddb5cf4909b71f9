import { FIGURES } from '../figures.js';
import { auc, halfInterval, mean } from '../metric.js';
import type { QuestionScore } from '../question-metric.js';

/** The outcome of a ranking on one question. */
export interface PeerOutcome extends QuestionScore {
  readonly id: string;
  /** Undefined where its scores say ranks alone. */
  readonly topScore: number | undefined;
}

/** The outcomes of a ranking on all questions. */
export interface PeerRow {
  readonly name: string;
  readonly outcomes: readonly PeerOutcome[];
  /** Top scores of questions about another repository; undefined where scores say ranks alone. */
  readonly foreign: readonly (number | undefined)[];
}

/**
 * A Markdown table with 95 % intervals. The last column is the mean difference of NDCG@10 from the
 * first row's, question by question: two rows may differ though their own intervals overlap.
 */
export function peerTable(rows: readonly PeerRow[]): string {
  const header = ['', ...FIGURES.map(({ name }) => name), 'AUC', 'NDCG@10 against the first'];
  const lines = rows.map((row) => [
    row.name,
    ...FIGURES.map(({ of }) => withInterval(row.outcomes.map(of))),
    aucOf(row),
    row === rows[0] ? '' : againstFirst(row, rows[0] as PeerRow),
  ]);
  return [header, header.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function againstFirst(row: PeerRow, first: PeerRow): string {
  const differences = row.outcomes.map((outcome, at) => {
    const other = first.outcomes[at];
    if (other?.id !== outcome.id)
      throw new Error(`${row.name} and ${first.name} were asked other questions`);
    return outcome.ndcg - other.ndcg;
  });
  return `${mean(differences) < 0 ? '' : '+'}${withInterval(differences)}`;
}

function withInterval(values: readonly number[]): string {
  return `${short(mean(values))} ± ${short(halfInterval(values))}`;
}

function aucOf({ outcomes, foreign }: PeerRow): string {
  const own = outcomes.flatMap(({ topScore }) => topScore ?? []);
  const others = foreign.flatMap((score) => score ?? []);
  return own.length === 0 || others.length === 0 ? '–' : short(auc(own, others));
}

/** `.312`, as the documentation writes shares. */
function short(value: number): string {
  return value.toFixed(3).replace(/^(-?)0\./, '$1.');
}
