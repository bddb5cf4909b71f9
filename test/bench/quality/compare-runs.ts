import { readFileSync } from 'node:fs';

import { FIGURES, type QuestionOutcome } from './measure-questions.js';
import { auc, halfInterval, mean } from './metric.js';

interface Run {
  readonly outcomes: readonly QuestionOutcome[];
  readonly foreign: readonly number[];
}

const SHOWN_BETTER = 10;

/**
 * Prints two runs over the same questions: each figure with its paired difference, then what got
 * better and all that got worse.
 */
export function compareRuns(before: string, after: string): void {
  const [a, b] = [readRun(before), readRun(after)];
  const pairs = a.outcomes.map((outcome): readonly [QuestionOutcome, QuestionOutcome] => {
    const other = b.outcomes.find(({ id }) => id === outcome.id);
    if (!other)
      throw new Error(`${after} has no question ${outcome.id}: the runs are of other questions`);
    return [outcome, other];
  });
  console.log('| | before | after | difference, 95 % interval |\n|---|---|---|---|');
  for (const { name, of } of FIGURES) {
    const differences = pairs.map(([x, y]) => of(y) - of(x));
    const change = `${mean(differences).toFixed(3)} ± ${halfInterval(differences).toFixed(3)}`;
    console.log(
      `| ${name} | ${mean(a.outcomes.map(of)).toFixed(3)} | ${mean(b.outcomes.map(of)).toFixed(3)} | ${change} |`,
    );
  }
  console.log(`| AUC | ${aucOf(a)} | ${aucOf(b)} | |`);
  const byGain = [...pairs].sort(([x, y], [v, w]) => gain(w, v) - gain(y, x));
  console.log('\nBetter:');
  for (const [x, y] of byGain.slice(0, SHOWN_BETTER)) show(x, y);
  const worse = byGain.filter(([x, y]) => gain(y, x) < 0).reverse();
  console.log(`\nWorse: ${worse.length} of ${pairs.length}`);
  for (const [x, y] of worse) show(x, y);
}

function readRun(file: string): Run {
  return JSON.parse(readFileSync(file, 'utf8'), (key, value: unknown) =>
    // JSON has no Infinity.
    value === null && (key === 'fileRank' || key === 'passageRank') ? Infinity : value,
  ) as Run;
}

/** By the passage first, then by the file. */
function gain(now: QuestionOutcome, then: QuestionOutcome): number {
  return 1 / now.passageRank - 1 / then.passageRank + (1 / now.fileRank - 1 / then.fileRank) / 100;
}

function show(before: QuestionOutcome, after: QuestionOutcome): void {
  const rank = (value: number): string => (value === Infinity ? '–' : String(value));
  const of = ({ fileRank, passageRank }: QuestionOutcome): string =>
    `${rank(fileRank)}/${rank(passageRank)}`;
  console.log(`- ${before.id} "${before.question}": file/passage ${of(before)} → ${of(after)}`);
  console.log(`    before ${before.top[0] ?? 'nothing'}\n    after  ${after.top[0] ?? 'nothing'}`);
}

function aucOf({ outcomes, foreign }: Run): string {
  return auc(
    outcomes.map(({ topScore }) => topScore),
    foreign,
  ).toFixed(3);
}
