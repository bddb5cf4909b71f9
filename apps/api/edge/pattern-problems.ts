import type { FieldProblem } from '#contracts';
import { validateGlob } from '#platform/patterns/glob';

/** What is wrong with the globs of a field, one problem each. */
export function patternProblems(field: string, patterns: readonly string[] | undefined): FieldProblem[] {
  return (patterns ?? []).flatMap((pattern, index) => {
    const problem = validateGlob(pattern);
    return problem === null ? [] : [{ field, message: `item ${index} ${problem}` }];
  });
}
