/** Why a specification cannot be read, as the end of a sentence that begins with its URL. Trying again does not help. */
export class SpecProblem extends Error {
  override readonly name = 'SpecProblem';
}
