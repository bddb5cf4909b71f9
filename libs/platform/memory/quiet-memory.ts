import { setFlagsFromString } from 'node:v8';

/** Pause between two looks at the processor time. */
const POLL_MS = 1_000;
/** Share of one processor below which the process does nothing that counts. */
const QUIET_SHARE = 0.1;
/** Share from which collections for memory would slow the work down. */
const BUSY_SHARE = 0.2;
/** Quiet looks in a row before memory is released: short pauses between requests do not count. */
const QUIET_POLLS = 3;

export interface QuietMemoryOptions {
  /** Returns the processor time of all threads so far, in microseconds. */
  readonly processorTime?: () => number;
  /** Switches V8's mode that releases memory at the cost of processor time. */
  readonly releaseMemory?: (on: boolean) => void;
}

/**
 * Lets V8 release memory while the process is quiet. V8 collects garbage when heaps are full, so an
 * idle process keeps the garbage of its last work in the heap of every thread.
 *
 * The mode applies to all threads. In it, V8 collects in small steps, compacts, and returns free
 * pages to the system. That happens ten to twenty seconds after the work. Under load the mode would
 * double the processor time of a search, so work ends the mode within a second.
 */
export class QuietMemory {
  private readonly processorTime: () => number;
  private readonly releaseMemory: (on: boolean) => void;
  private used: number;
  private quietPolls = 0;
  private releasing = false;

  constructor({
    processorTime = processorTimeOfAll,
    releaseMemory = useMemorySaver,
  }: QuietMemoryOptions = {}) {
    this.processorTime = processorTime;
    this.releaseMemory = releaseMemory;
    this.used = processorTime();
  }

  /** Starts to look at the process. The timer does not keep it alive. */
  start(): void {
    setInterval(() => this.look(), POLL_MS).unref();
  }

  /** Compares the processor time with that of the look a second ago. */
  look(): void {
    const used = this.processorTime();
    const share = (used - this.used) / (POLL_MS * 1_000);
    this.used = used;
    this.quietPolls = share < QUIET_SHARE ? this.quietPolls + 1 : 0;
    if (!this.releasing && this.quietPolls >= QUIET_POLLS) this.switchTo(true);
    if (this.releasing && share >= BUSY_SHARE) this.switchTo(false);
  }

  private switchTo(releasing: boolean): void {
    this.releasing = releasing;
    this.releaseMemory(releasing);
  }
}

function processorTimeOfAll(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function useMemorySaver(on: boolean): void {
  setFlagsFromString(on ? '--memory-saver-mode' : '--no-memory-saver-mode');
}
