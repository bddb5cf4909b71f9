import { auc, mean, quantile } from '../metric.js';
import { fitRefusal, margin, type RefusalModel } from './refusal-model.js';
import { readCases, type RefusalCase } from './refusal-run.js';

/**
 * Prints how many answerable and foreign questions are refused, by the ranking in use and by a
 * logistic function. The function is fitted on the first run. There, each repository is left out in
 * turn.
 *
 * @param files runs that `questions --json` wrote
 */
export function measureRefusal(files: readonly string[]): void {
  const [first, ...others] = files;
  if (first === undefined) return;
  const chosen = readCases(first);
  const whole = fitRefusal(chosen);
  const without = new Map(
    [...new Set(chosen.map(({ repository }) => repository))].map((left) => [
      left,
      fitRefusal(chosen.filter(({ repository }) => repository !== left)),
    ]),
  );
  print(first, chosen, ({ repository }) => without.get(repository) ?? whole);
  for (const file of others) print(file, readCases(file), () => whole);
  console.log(JSON.stringify(whole));
}

function print(
  name: string,
  cases: readonly RefusalCase[],
  modelOf: (each: RefusalCase) => RefusalModel,
): void {
  console.log(name);
  line('ranking in use', cases, (each) => margin(undefined, each));
  line('logistic function', cases, (each) => margin(modelOf(each), each));
}

function line(
  name: string,
  cases: readonly RefusalCase[],
  marginOf: (each: RefusalCase) => number,
): void {
  const own = cases.filter(({ isOwn }) => isOwn).map(marginOf);
  const foreign = cases.filter(({ isOwn }) => !isOwn).map(marginOf);
  const refused = (margins: readonly number[]): string =>
    `${(100 * mean(margins.map((value) => Number(value < 0)))).toFixed(1)} % of ${margins.length}`;
  const spread = [0.05, 0.5, 0.95].map((share) => quantile(own, share).toFixed(2)).join('/');
  console.log(
    `  ${name.padEnd(18)} refused: answerable ${refused(own)}, foreign ${refused(foreign)}; ` +
      `AUC ${auc(own, foreign).toFixed(3)}; margins of answerable p5/50/95 ${spread}`,
  );
}
