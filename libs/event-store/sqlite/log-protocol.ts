/**
 * The messages between the store and its thread. Data crosses as text: it is encoded once, hashed
 * and stored unchanged, and decoded by the reader. Positions and revisions are plain integers on
 * this side of the port.
 */

export interface ProposedRow {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export interface LogRow extends ProposedRow {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly recordedAt: number;
}

export type Expectation = 'none' | 'exists' | 'any' | number;

export interface AppendRequest {
  readonly kind: 'append';
  /** The sender's id of this append. */
  readonly tag: number;
  readonly stream: string;
  readonly expected: Expectation;
  readonly events: readonly ProposedRow[];
}

export interface ReadStreamRequest {
  readonly kind: 'read-stream';
  readonly stream: string;
  /** First revision, inclusive; null for the end at which the direction starts. */
  readonly from: number | null;
  readonly backwards: boolean;
  readonly limit: number;
}

export interface ScanRequest {
  readonly kind: 'scan';
  readonly after: number;
  readonly types: readonly string[] | null;
  readonly categories: readonly string[] | null;
  readonly limit: number;
}

export type LogRequest =
  | AppendRequest
  | ReadStreamRequest
  | ScanRequest
  | { readonly kind: 'verify' }
  | { readonly kind: 'copy'; readonly directory: string }
  | { readonly kind: 'close' };

/** Outcome of one append of a group. */
export type AppendOutcome =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'conflict'; readonly actual: number | null }
  | { readonly kind: 'corrupted' }
  | { readonly kind: 'storage-full' };

export interface StreamPage {
  readonly rows: readonly LogRow[];
  /** True if no row follows in this direction. */
  readonly end: boolean;
}

export interface ScanPage {
  readonly rows: readonly LogRow[];
  /** Every event up to here was considered: delivered in `rows` or left out by the filter. */
  readonly considered: number;
  /** True if `considered` is the newest event of the log. */
  readonly atHead: boolean;
}

export interface LogVerification {
  /** Number of events whose position, revision and hash were checked. */
  readonly events: number;
  readonly milliseconds: number;
}

/** A copy of the log at one moment. */
export interface LogCopy {
  /** Newest event of the copy; 0 for an empty log. */
  readonly position: number;
  /** Its hash, lower-case hex. */
  readonly hash: string;
}

/** The thread's message once the log is open. */
export interface LogOpened {
  readonly head: number;
  /** Number of events that the last crash left unacknowledged and that were accepted. */
  readonly recovered: number;
}

/** The position of an append, new or repeated. */
export interface WrittenAppend {
  readonly tag: number;
  /** Revision of its last event; its events are consecutive. */
  readonly revision: number;
  readonly position: number;
}

/** A written group of appends, reported before they are answered. */
export interface LogGrowth {
  readonly head: number;
  /** Time of all events of the group, milliseconds since the epoch. */
  readonly recordedAt: number;
  /** In log order. */
  readonly written: readonly WrittenAppend[];
}

/** Outcomes of a group of appends, by the number of each request. */
export interface CommittedGroup extends LogGrowth {
  readonly outcomes: readonly (readonly [number, AppendOutcome])[];
}
