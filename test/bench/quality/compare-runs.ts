import { compareFigures, comparisonTable } from './figures.js';
import { auc } from './metric.js';
import { pairOutcomes, type QuestionOutcome, type QuestionRun, readRun } from './question-run.js';

const SHOWN_BETTER = 10;

/**
 * Prints two runs over the same questions: each figure with its paired difference, then what got
 * better and all that got worse.
 */
export function compareRuns(before: string, after: string): void {
  const [a, b] = [readRun(before), readRun(after)];
  const pairs = pairOutcomes(a.outcomes, b.outcomes);
  console.log(comparisonTable(compareFigures(pairs)));
  console.log(`| AUC | ${aucOf(a)} | ${aucOf(b)} | | | |`);
  const byGain = [...pairs].sort(([x, y], [v, w]) => gain(w, v) - gain(y, x));
  console.log('\nBetter:');
  for (const [x, y] of byGain.slice(0, SHOWN_BETTER)) show(x, y);
  const worse = byGain.filter(([x, y]) => gain(y, x) < 0).reverse();
  console.log(`\nWorse: ${worse.length} of ${pairs.length}`);
  for (const [x, y] of worse) show(x, y);
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

function aucOf({ outcomes, foreign }: QuestionRun): string {
  return auc(
    outcomes.map(({ topScore }) => topScore),
    foreign,
  ).toFixed(3);
}
