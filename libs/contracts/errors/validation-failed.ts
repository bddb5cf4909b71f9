import { type FieldProblem, FootnoteError } from './footnote-error.js';

/** Problems that one error lists. */
export const MAX_PROBLEMS = 20;

/** Returns the error for invalid fields; it lists the first twenty. */
export function validationFailed(problems: readonly FieldProblem[]): FootnoteError {
  const details = problems.slice(0, MAX_PROBLEMS);
  const first = details[0];
  const sentence = first
    ? `The request is not valid: ${first.field} ${first.message}`
    : 'The request is not valid';
  return new FootnoteError('validation_failed', sentence, { details });
}
