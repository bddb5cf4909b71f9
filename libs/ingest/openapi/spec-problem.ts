/**
 * Why a specification cannot be read, as the end of a sentence that begins with its URL. Trying
 * again does not help.
 */
export class SpecProblem extends Error {
  override readonly name = 'SpecProblem';
}

/**
 * It takes more time or memory than a specification may: the same bytes would take as much again.
 */
export class SpecTooCostly extends SpecProblem {}
