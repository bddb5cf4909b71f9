import type { Figure } from '../report.js';

/** The input of every scenario: repositories on disk and a folder of its own. */
export interface BenchContext {
  readonly repositories: readonly string[];
  readonly scratch: string;
  /**
   * A folder of HTML pages, an OpenAPI specification as a JSON file and a folder of PDFs with
   * text, where they were given. `models` is that folder of a DATA_DIR.
   */
  readonly material?: {
    readonly pages?: string;
    readonly specification?: string;
    readonly pdfs?: string;
    readonly models?: string;
  };
  /** The number of rounds of a scenario that repeats; the scenario sets the default. */
  readonly rounds?: number;
  /** The duration in minutes of a scenario that runs for a time; the scenario sets the default. */
  readonly minutes?: number;
  /** The seed of the random choices of a scenario; the scenario sets the default. */
  readonly seed?: number;
  /** The number of events of a generated log; the scenario sets the default. */
  readonly events?: number;
  /** The sizes of a scenario that is measured at several; the scenario sets the default. */
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
