import type { Figure } from '../report.js';

/** What every scenario gets: repositories on disk and a folder that is its own. */
export interface BenchContext {
  readonly repositories: readonly string[];
  readonly scratch: string;
  /**
   * A folder of HTML pages, an OpenAPI specification as a JSON file, and a folder of PDFs with
   * text, where they were given.
   */
  readonly material?: {
    readonly pages?: string;
    readonly specification?: string;
    readonly pdfs?: string;
  };
  /** How often a scenario that repeats does so; its own number by default. */
  readonly rounds?: number;
  /** How long a scenario that runs for a time does so, in minutes; its own number by default. */
  readonly minutes?: number;
  /** Of what a scenario does by chance; its own number by default. */
  readonly seed?: number;
  /** Events of a generated log; its own number by default. */
  readonly events?: number;
  /** How large, for a scenario that is measured at several sizes; its own sizes by default. */
  readonly sizes?: readonly number[];
  /**
   * Built checkout of an earlier version, for a scenario that upgrades from it or measures it
   * instead.
   */
  readonly before?: string;
  /** Names of the parts to run, for a scenario that has several. */
  readonly only?: readonly string[];
  readonly say: (line: string) => void;
  /** Adds a line to what the report says above its table: what was measured, and how it was set. */
  readonly note: (name: string, text: string) => void;
}

/** A group of figures that are measured together. */
export interface Scenario {
  readonly name: string;
  /** Whether a figure that is missed is a defect, and the run fails. */
  readonly mustHold?: boolean;
  run(context: BenchContext): Promise<readonly Figure[]>;
}
