import type { KeyRing, Sealed } from '#platform';

import {
  type RepositoryCredentials,
  repositoryCredentialsSchema,
} from './repository-credentials.js';

/** What credentials are bound to: sealed for one source and one origin, they open for no other. */
export interface CredentialsPlace {
  readonly tenantId: string;
  readonly sourceId: string;
  /** See `credentialsOrigin`. */
  readonly origin: string;
}

/**
 * @throws KeyDestroyedError when the tenant's key was destroyed: what may not be kept is not
 * written.
 */
export function sealCredentials(
  keyRing: KeyRing,
  place: CredentialsPlace,
  credentials: RepositoryCredentials,
): Promise<Sealed> {
  return keyRing.seal(place.tenantId, contextOf(place), JSON.stringify(credentials));
}

/**
 * @returns null when the key that sealed them is gone.
 * @throws Error when they were sealed for another place or tampered with; it has nothing of them in
 * it.
 */
export async function openCredentials(
  keyRing: KeyRing,
  place: CredentialsPlace,
  sealed: string,
): Promise<RepositoryCredentials | null> {
  const opened = await keyRing.open(place.tenantId, contextOf(place), sealed as Sealed);
  if (opened === null) return null;
  const read = repositoryCredentialsSchema.safeParse(JSON.parse(opened));
  // The schema's own complaint may quote what it read.
  if (!read.success)
    throw new Error(
      'The sealed credentials of a source have a form that this version does not know',
    );
  return read.data;
}

function contextOf({ sourceId, origin }: CredentialsPlace): string {
  return `source-${sourceId}/credentials/${origin}`;
}
