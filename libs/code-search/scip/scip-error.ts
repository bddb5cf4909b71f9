/** A SCIP index that cannot be used. The message follows the name of its field. */
export class ScipError extends Error {
  override readonly name = 'ScipError';
}
