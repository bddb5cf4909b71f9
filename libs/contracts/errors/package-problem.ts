import { isStageFailure, StageFailure, type FailureDetails, type StageFailureOptions } from './stage-failure.js';

/** Why a package cannot be had, and the HTTP status that says so to who asked for it. */
export const PACKAGE_PROBLEMS = {
  /** The name or version is none that the ecosystem knows: a range, a tag, a bad name. */
  package_refused: 400,
  /** The operator configured no registry for the ecosystem. */
  registry_not_configured: 400,
  package_not_found: 404,
  package_version_not_found: 404,
  /** Larger than the limits, packed or unpacked, or made to unpack to more than it says. */
  package_too_large: 413,
  /** The registry cannot be reached, refuses, or asks to wait. */
  registry_unavailable: 502,
  /** What the registry sent is not what it promised, or cannot be read. */
  package_unreadable: 502,
  registry_timeout: 504,
} as const;
export type PackageProblem = keyof typeof PACKAGE_PROBLEMS;

/**
 * Why a package cannot be had, for whoever asks: on the request's path the error itself says it, of a failed job the
 * details do, as `package_problem`.
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

/** The problem that a failure or the details of a failed job name; undefined where they name none. */
export function packageProblemOf(failure: unknown): PackageProblem | undefined {
  const details = isStageFailure(failure) ? failure.details : failure;
  if (typeof details !== 'object' || details === null || !('package_problem' in details)) return undefined;
  const { package_problem: problem } = details;
  return typeof problem === 'string' && Object.hasOwn(PACKAGE_PROBLEMS, problem)
    ? (problem as PackageProblem)
    : undefined;
}
