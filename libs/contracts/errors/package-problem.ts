import {
  type FailureDetails,
  isStageFailure,
  StageFailure,
  type StageFailureOptions,
} from './stage-failure.js';

/** Reasons why a package is not available, with the HTTP status for the caller. */
const PACKAGE_PROBLEMS = {
  /** The name or version is invalid for the ecosystem: a range, a tag, a bad name. */
  package_refused: 400,
  /** No registry is configured for the ecosystem. */
  registry_not_configured: 400,
  package_not_found: 404,
  package_version_not_found: 404,
  /** Larger than the limits, packed or unpacked, or unpacks to more than it declares. */
  package_too_large: 413,
  /** The registry is unreachable, refuses the request or asks to wait. */
  registry_unavailable: 502,
  /** The registry sent content that does not match its metadata or cannot be read. */
  package_unreadable: 502,
  registry_timeout: 504,
} as const;
export type PackageProblem = keyof typeof PACKAGE_PROBLEMS;

/**
 * Creates the failure of an unavailable package. A request reports it as its error, a failed job in
 * its details as `package_problem`.
 */
export function packageFailure(
  problem: PackageProblem,
  message: string,
  retryable: boolean,
  details: FailureDetails,
  options: StageFailureOptions = {},
): StageFailure {
  return new StageFailure(message, retryable, { ...details, package_problem: problem }, options);
}

/**
 * Returns the problem in a failure or in the details of a failed job; undefined if there is none.
 */
export function packageProblemOf(failure: unknown): PackageProblem | undefined {
  const details = isStageFailure(failure) ? failure.details : failure;
  if (typeof details !== 'object' || details === null || !('package_problem' in details))
    return undefined;
  const { package_problem: problem } = details;
  return typeof problem === 'string' && Object.hasOwn(PACKAGE_PROBLEMS, problem)
    ? (problem as PackageProblem)
    : undefined;
}
