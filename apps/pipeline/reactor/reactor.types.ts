import type { DomainEvent, Position, RecordedEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

/** One run of a reactor. */
export interface ReactorRun {
  /** Aborts when this process loses the lead or stops; a long run checks it between its steps. */
  readonly signal: AbortSignal;
  /** Position up to which the log was folded when the run began; null before the first event. */
  readonly position: Position | null;
}

/**
 * Part of the pipeline that folds events and acts on the result. `apply` is called in every
 * process, `run` only in the process that leads. So every effect of `run` must be safe to repeat.
 */
export interface Reactor {
  /** Name in log lines and snapshots. */
  readonly name: string;
  /** Types of the events that `apply` gets, from the start of the log. */
  readonly eventTypes: readonly DomainEvent['type'][];
  /** Types that `apply` gets only once history is folded. Default: none. */
  readonly liveEventTypes?: readonly DomainEvent['type'][];
  /**
   * Folds an event, without I/O. The newest event may be delivered twice.
   * @returns true if `run` should be called at once instead of after the interval.
   */
  apply(event: RecordedDomainEvent): boolean;
  /**
   * Gets an event of a folded type whose data cannot be read, and stops the work for its tenant
   * alone. Default: the whole reactor stops. No snapshot is saved after it, so that a later version
   * reads the event again.
   */
  unreadable?(event: RecordedEvent): void;
  /** Types that `notice` gets, once history is folded. Default: none. */
  readonly noticedEventTypes?: readonly DomainEvent['type'][];
  /**
   * Gets an event as it is stored, neither converted nor checked, after `apply`. So an event with
   * unreadable data reaches reactors that need only its position, type and tenant.
   * @returns true if `run` should be called at once instead of after the interval.
   */
  notice?(event: RecordedEvent): boolean;
  /** Called once, when history is folded and before any run. */
  caughtUp?(): void;
  /** Does the work that is due. Errors are logged and retried with a growing pause. */
  run?(run: ReactorRun): Promise<void>;
  /** Pause between two runs, milliseconds. Default 1,000. */
  readonly intervalMs?: number;
  /** True: `run` is called in every process, leading or not. Default false. */
  readonly runsEverywhere?: boolean;
  /** Prepares the first run of a lead; repeated until it succeeds. */
  takeOver?(run: ReactorRun): Promise<void>;
  /** Ends everything that runs of a lead have started; called after its last run. */
  release?(): Promise<void>;
  /** State that a snapshot keeps. Absent where nothing is folded. */
  readonly state?: ReactorState;
}

/** Folded state of a reactor, as lines of a snapshot. */
export interface ReactorState {
  /** Raised whenever the fold or its lines change: snapshots of another version are discarded. */
  readonly version: number;
  /**
   * Returns the lines, each a JSON value of bounded size. Nothing is applied while they are read,
   * but the event loop runs between them.
   */
  save(): Iterable<unknown>;
  /** Adds one line of an earlier `save` to an empty state. */
  load(line: unknown): void;
  /** Discards everything, also after half of the lines were loaded. */
  clear(): void;
}
