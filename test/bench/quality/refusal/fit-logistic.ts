/** An example of two classes: features of fixed number, and whether it is of the first class. */
export interface Example {
  readonly features: readonly number[];
  readonly isPositive: boolean;
}

/** A logistic function over standardized features. */
export interface Logistic {
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly weights: readonly number[];
  readonly bias: number;
}

const STEPS = 4_000;
const RATE = 0.5;
/** Pull of the weights towards 0, so that features that say the same share a weight. */
const DECAY = 0.01;

/** Fits a logistic function by gradient descent. The same examples give the same function. */
export function fitLogistic(examples: readonly Example[]): Logistic {
  const width = examples[0]?.features.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) =>
    examples.map(({ features }) => features[at] ?? 0),
  );
  const means = columns.map(mean);
  const deviations = columns.map((values, at) => {
    const variance = mean(values.map((value) => (value - (means[at] ?? 0)) ** 2));
    return Math.sqrt(variance) || 1;
  });
  let model: Logistic = { means, deviations, weights: new Array<number>(width).fill(0), bias: 0 };
  for (let step = 0; step < STEPS; step += 1) model = descended(model, examples);
  return model;
}

/** Returns the log odds of the first class. */
export function logOdds(
  { means, deviations, weights, bias }: Logistic,
  features: readonly number[],
): number {
  return weights.reduce(
    (sum, weight, at) =>
      sum + (weight * ((features[at] ?? 0) - (means[at] ?? 0))) / (deviations[at] ?? 1),
    bias,
  );
}

function descended(model: Logistic, examples: readonly Example[]): Logistic {
  const { means, deviations, weights, bias } = model;
  const slopes = weights.map((weight) => DECAY * weight);
  let biasSlope = 0;
  for (const { features, isPositive } of examples) {
    const error = 1 / (1 + Math.exp(-logOdds(model, features))) - Number(isPositive);
    biasSlope += error / examples.length;
    for (const at of slopes.keys()) {
      const value = ((features[at] ?? 0) - (means[at] ?? 0)) / (deviations[at] ?? 1);
      slopes[at] = (slopes[at] ?? 0) + (error * value) / examples.length;
    }
  }
  return {
    means,
    deviations,
    weights: weights.map((weight, at) => weight - RATE * (slopes[at] ?? 0)),
    bias: bias - RATE * biasSlope,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
