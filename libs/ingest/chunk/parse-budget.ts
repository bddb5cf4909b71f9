/**
 * Processor time that one file may use for its parse and for all that reads its tree. The time of a
 * busy machine's other work does not count, so that the same file is cut in the same way each time.
 */
export class ParseBudget {
  private over = false;
  private readonly end: number;

  constructor(
    milliseconds: number,
    private readonly clock: () => number = processorMilliseconds,
  ) {
    this.end = clock() + milliseconds;
  }

  /**
   * Returns true for good once the time is used up. Reads the clock, which takes about a
   * microsecond.
   */
  readonly isUsedUp = (): boolean => {
    this.over ||= this.clock() > this.end;
    return this.over;
  };

  /**
   * True when a step was cut short. Does not read the clock: work that ended in time stays valid.
   */
  get wasExceeded(): boolean {
    return this.over;
  }
}

function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
