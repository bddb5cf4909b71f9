/** A revision of the protocol. */
export interface Revision {
  readonly name: string;
  /** Required scenarios that the service does not pass. */
  readonly cannot: readonly string[];
}

/**
 * Requests of a server to a client of 2025, and its open streams, need a session. The endpoint has
 * none, so sampling and elicitation need a client of 2026.
 */
const NEED_SESSIONS = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
];

/** The revisions that the service speaks. */
export const REVISIONS: readonly Revision[] = [
  { name: '2026-07-28', cannot: [] },
  { name: '2025-11-25', cannot: NEED_SESSIONS },
];

/** Scenarios without fixtures, which the servers with the tools of Footnote must pass too. */
export const REAL_SCENARIOS: readonly string[] = [
  'tools-list',
  'resources-list',
  'prompts-list',
  'caching',
  'sep-2164-resource-not-found',
  'dns-rebinding-protection',
];
