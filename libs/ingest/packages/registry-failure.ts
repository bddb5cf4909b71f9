import {
  type Ecosystem,
  type FailureDetails,
  isStageFailure,
  packageFailure,
  type PackageProblem,
} from '#contracts';

import { isTimeout } from '../web/web-failure.js';

/** Common names of the registries by ecosystem. */
export const REGISTRY_NAMES: Readonly<Record<Ecosystem, string>> = {
  npm: 'npm registry',
  pypi: 'Python package index',
  cargo: 'crate registry',
  maven: 'Maven repository',
  go: 'Go module proxy',
};

/**
 * Returns the failure of a package for a failed request to a registry. Addresses of registries
 * belong to the operator: the message names none.
 *
 * @param url name of the package in the details.
 */
export function registryFailure(error: unknown, ecosystem: Ecosystem, url: string): unknown {
  if (!isStageFailure(error) || error.details?.['package_problem'] !== undefined) return error;
  const { details, retryable, retryAfterMs } = error;
  const reported: FailureDetails = {
    url,
    ...(details?.status_code !== undefined && { status_code: details.status_code }),
  };
  const [problem, what] = meaning(error);
  const message = `The ${REGISTRY_NAMES[ecosystem]} ${what}`;
  return packageFailure(problem, message, retryable, reported, { cause: error, retryAfterMs });
}

function meaning(error: Parameters<typeof isTimeout>[0]): readonly [PackageProblem, string] {
  const { details, retryAfterMs } = error;
  const reason = details?.['reason'];
  const status = details?.status_code;
  if (isTimeout(error)) return ['registry_timeout', 'did not answer in time'];
  if (reason === 'too_large')
    return ['package_too_large', 'sends more than is taken of one package'];
  if (reason === 'bomb' || reason === 'encoding' || reason === 'broken') {
    return ['package_unreadable', 'sent something that cannot be read, or that breaks off'];
  }
  if (status === 401 || status === 403)
    return ['registry_unavailable', `refuses to be read (${status})`];
  if (status !== undefined) {
    const wait =
      retryAfterMs === undefined
        ? ''
        : ` and asks to come back in ${Math.ceil(retryAfterMs / 1_000)} s`;
    return ['registry_unavailable', `answered ${status}${wait}`];
  }
  return [
    'registry_unavailable',
    `cannot be reached${typeof reason === 'string' ? ` (${reason})` : ''}`,
  ];
}
