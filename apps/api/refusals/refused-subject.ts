/** The subject that a refused request named, as far as the service knows it. */
export interface RefusedSubject {
  /** Tenant of the account or source; undefined for unknown names. */
  readonly tenantId?: string;
  readonly userId?: string;
  /** Keyed digest of a name that no account has. */
  readonly accountDigest?: string;
  readonly sourceId?: string;
}

const subjects = new WeakMap<Error, RefusedSubject>();

/** Returns the error after noting, for the trail alone, the subject that the request named. */
export function refusedFor<E extends Error>(error: E, subject: RefusedSubject): E {
  subjects.set(error, subject);
  return error;
}

/** Returns the subject noted for an error; undefined if there is none. */
export function refusedSubject(error: unknown): RefusedSubject | undefined {
  return error instanceof Error ? subjects.get(error) : undefined;
}
