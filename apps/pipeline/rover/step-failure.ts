import type { RoverStepReason } from '#contracts';

/** A step that fails; the job goes on, with a part of the step's output if there is one. */
export class StepFailed extends Error {
  constructor(
    readonly reason: RoverStepReason,
    /** Output up to the failure, stored as that of the step. Default: none. */
    readonly output?: unknown,
  ) {
    super(`The step failed: ${reason}`);
    this.name = 'StepFailed';
  }
}

/** A job that cannot be completed. The message is for people and has no text of the question. */
export class RoverJobFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RoverJobFailure';
  }
}
