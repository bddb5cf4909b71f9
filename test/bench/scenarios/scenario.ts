import type { Figure } from '../report.js';

/** What every scenario gets: repositories on disk and a folder that is its own. */
export interface BenchContext {
  readonly repositories: readonly string[];
  readonly scratch: string;
  /** How often a scenario that repeats does so; its own number by default. */
  readonly rounds?: number;
  readonly say: (line: string) => void;
  /** Adds a line to what the report says above its table: what was measured, and how it was set. */
  readonly note: (name: string, text: string) => void;
}

/** A group of figures that are measured together. */
export interface Scenario {
  readonly name: string;
  run(context: BenchContext): Promise<readonly Figure[]>;
}
