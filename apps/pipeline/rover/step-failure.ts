import type { RoverStepReason } from '#contracts';

/** A step that ends without output; the job goes on. */
export class StepFailed extends Error {
  constructor(readonly reason: RoverStepReason) {
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
