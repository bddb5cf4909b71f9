/**
 * What the store and its thread say to each other. Data crosses as text: it is encoded once, hashed
 * and stored as it stands, and decoded where it is read. Places and revisions are plain integers on
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
  /** What the sender knows this append by. */
  readonly tag: number;
  readonly stream: string;
  readonly expected: Expectation;
  readonly events: readonly ProposedRow[];
}

export interface ReadStreamRequest {
  readonly kind: 'read-stream';
  readonly stream: string;
  /** First revision, inclusive; null for the end that the direction starts from. */
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

/** How one append of a group ended. */
export type AppendOutcome =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'conflict'; readonly actual: number | null }
  | { readonly kind: 'corrupted' }
  | { readonly kind: 'storage-full' };

export interface StreamPage {
  readonly rows: readonly LogRow[];
  /** No further row in this direction. */
  readonly end: boolean;
}

export interface ScanPage {
  readonly rows: readonly LogRow[];
  /** Every event up to here was considered: delivered in `rows` or left out by the filter. */
  readonly considered: number;
  /** `considered` is the newest event of the log. */
  readonly atHead: boolean;
}

export interface LogVerification {
  /** Events whose place, revision and hash were checked. */
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

/** What the thread says once the log is open. */
export interface LogOpened {
  readonly head: number;
  /** Events that the last crash left unacknowledged and that were taken over. */
  readonly recovered: number;
}

/** Where an append stands, new or from before. */
export interface WrittenAppend {
  readonly tag: number;
  /** Of its last event; its events stand in one row. */
  readonly revision: number;
  readonly position: number;
}

/** A group of appends was written: told before they are answered. */
export interface LogGrowth {
  readonly head: number;
  /** Of all events of the group, milliseconds since the epoch. */
  readonly recordedAt: number;
  /** In the order of the log. */
  readonly written: readonly WrittenAppend[];
}

/** What became of a group of appends, each by the number of its request. */
export interface CommittedGroup extends LogGrowth {
  readonly outcomes: readonly (readonly [number, AppendOutcome])[];
}
