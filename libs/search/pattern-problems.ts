import type { FieldProblem } from '#contracts';
import { validateGlob, validateGlobList } from '#platform/patterns/glob-syntax';

/** Returns one problem for each invalid glob of a field. */
export function patternProblems(
  field: string,
  patterns: readonly string[] | undefined,
): FieldProblem[] {
  return (patterns ?? []).flatMap((pattern, index) => {
    const problem = validateGlob(pattern);
    return problem === null ? [] : [{ field, message: `item ${index} ${problem}` }];
  });
}

/**
 * Returns a problem when the globs of a field are too large together; none when they are not given.
 */
export function patternListProblems(
  field: string,
  patterns: readonly string[] | undefined,
): FieldProblem[] {
  const problem = validateGlobList(patterns ?? []);
  return problem === null ? [] : [{ field, message: problem }];
}
