import type { Figure } from '../report.js';

/** What every scenario gets: repositories on disk and a folder that is its own. */
export interface BenchContext {
  readonly repositories: readonly string[];
  readonly scratch: string;
  readonly say: (line: string) => void;
}

/** A group of figures that are measured together. */
export interface Scenario {
  readonly name: string;
  run(context: BenchContext): Promise<readonly Figure[]>;
}
