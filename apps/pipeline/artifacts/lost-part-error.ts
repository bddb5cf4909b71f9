import { StageFailure } from '#contracts';

/**
 * The output of an earlier stage is missing or damaged, such as after a power failure. Only a new
 * fetch can make it again.
 */
export class LostPartError extends StageFailure {
  constructor(cause: Error) {
    const text = 'The output of an earlier stage is lost; the sync starts again with its fetch';
    super(text, true, null, { cause });
  }
}
