import { ModelError } from '../model-error.js';

/**
 * The vector with L2 norm 1.
 * @throws ModelError when it is none of the model's: another width (which will not pass), or values
 * that give no direction.
 */
export function checkedVector(values: readonly number[], dimensions: number): Float32Array {
  if (values.length !== dimensions) {
    throw new ModelError(
      `The embedding model gave vectors of ${values.length} dimensions where ${dimensions} are configured.`,
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
    throw new ModelError(
      'The embedding model gave a vector that is zero or not finite; it is not used.',
      {
        kind: 'bad_answer',
      },
    );
  }
  return Float32Array.from(values, (value) => value / norm);
}
