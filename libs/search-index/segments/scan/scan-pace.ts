import { SEARCH_BUDGET_MS } from '../../search-budget.js';

/** Processor time after which a search yields to other searches of its thread, in milliseconds. */
const SLICE_MS = 5;
/** A unit takes about a nanosecond. */
const UNITS_A_LOOK = 250_000;

/** The limits of one search; tests inject a clock of their own. */
export interface ScanLimits {
  readonly sliceMs: number;
  readonly budgetMs: number;
  /** Units of work between two checks of the clock. */
  readonly unitsALook: number;
  /**
   * Processor time of the calling thread, in milliseconds; the load of the machine does not count.
   */
  readonly cpuMs: () => number;
}

export const SCAN_LIMITS: ScanLimits = {
  sliceMs: SLICE_MS,
  budgetMs: SEARCH_BUDGET_MS,
  unitsALook: UNITS_A_LOOK,
  cpuMs: cpuOfThread,
};

/** Work in steps: it yields where others may run first, and returns its result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/**
 * A search used up its processor time. Recognized by its name, which survives the transfer between
 * threads.
 */
class SearchBudgetError extends Error {
  override readonly name = 'SearchBudgetError';

  constructor(readonly budgetMs: number) {
    super(`The search used up ${budgetMs} ms of processor time`);
  }
}

export function isSearchBudgetError(error: unknown): boolean {
  return error instanceof Error && error.name === 'SearchBudgetError';
}

/**
 * Measures a search's processor time. Every loop whose length depends on a query or a corpus calls
 * `spend`, and its generator yields while `isDue`.
 */
export class ScanPace {
  /** True if the time slice is used up. */
  isDue = false;
  private units = 0;
  private unitsBefore = 0;
  private sliceStart = 0;
  private usedInSlice = 0;
  private usedBefore = 0;

  constructor(private readonly limits: ScanLimits = SCAN_LIMITS) {}

  /** Units of work that the search did. */
  get spent(): number {
    return this.unitsBefore + this.units;
  }

  /** Begins a time slice. */
  resume(): void {
    this.usedBefore += this.usedInSlice;
    this.usedInSlice = 0;
    this.isDue = false;
    this.sliceStart = this.limits.cpuMs();
  }

  /**
   * Adds completed work, and reads the clock occasionally.
   * @param units of about a nanosecond.
   * @throws SearchBudgetError if the budget is used up.
   */
  spend(units: number): void {
    this.units += units;
    if (this.units < this.limits.unitsALook) return;
    this.unitsBefore += this.units;
    this.units = 0;
    const { sliceMs, budgetMs, cpuMs } = this.limits;
    this.usedInSlice = cpuMs() - this.sliceStart;
    if (this.usedBefore + this.usedInSlice > budgetMs) throw new SearchBudgetError(budgetMs);
    this.isDue = this.usedInSlice >= sliceMs;
  }
}

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
