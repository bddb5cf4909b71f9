/**
 * Processor time that one file may use for its parse and for every read of its tree. Other work on
 * a busy machine does not count, so the same file always produces the same chunks.
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
   * Returns true permanently once the time is used up. Reads the clock, which takes about a
   * microsecond.
   */
  readonly isUsedUp = (): boolean => {
    this.over ||= this.clock() > this.end;
    return this.over;
  };

  /**
   * True if a step was stopped early. Does not read the clock: work that ended in time remains
   * valid.
   */
  get wasExceeded(): boolean {
    return this.over;
  }
}

function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
