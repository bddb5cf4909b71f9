import { ModelError } from '../model-error.js';

/**
 * Returns the vector with L2 norm 1.
 * @throws ModelError if it is not valid for the model: another width (permanent), or values without
 * a direction.
 */
export function checkedVector(values: readonly number[], dimensions: number): Float32Array {
  if (values.length !== dimensions) {
    throw new ModelError(
      `The embedding model returned vectors of ${values.length} dimensions, but ${dimensions} are configured`,
      { kind: 'refused' },
    );
  }
  let squares = 0;
  for (const value of values) {
    if (typeof value !== 'number') squares = NaN;
    else squares += value * value;
  }
  const norm = Math.sqrt(squares);
  if (!Number.isFinite(norm) || norm === 0) {
    throw new ModelError('The embedding model returned a vector that is zero or not finite', {
      kind: 'bad_answer',
    });
  }
  return Float32Array.from(values, (value) => value / norm);
}
