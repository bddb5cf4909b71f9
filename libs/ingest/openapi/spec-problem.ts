/**
 * Reason why a specification cannot be read, as the end of a sentence that begins with its URL. A
 * retry does not help.
 */
export class SpecProblem extends Error {
  override readonly name = 'SpecProblem';
}

/** Failure by too much time or memory: the same bytes would take as much again. */
export class SpecTooCostly extends SpecProblem {}
