/** Exit codes of the command line (docs/command-line.md). */
export const EXIT = {
  ok: 0,
  /** No match, refused, job failed, not verified. */
  negative: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  quota: 6,
  unavailable: 7,
  interrupted: 130,
} as const;
