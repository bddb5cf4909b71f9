import type { KeyRing, Sealed } from '#platform';

import {
  type RepositoryCredentials,
  repositoryCredentialsSchema,
} from './repository-credentials.js';

/**
 * Binding of sealed credentials. Credentials sealed for one source and one origin do not open for
 * any other.
 */
export interface CredentialsPlace {
  readonly tenantId: string;
  readonly sourceId: string;
  /** Result of `credentialsOrigin`. */
  readonly origin: string;
}

/**
 * Encrypts credentials for one source and origin.
 *
 * @throws KeyDestroyedError if the tenant's key was destroyed, so that no credentials are written
 * after the deletion.
 */
export function sealCredentials(
  keyRing: KeyRing,
  place: CredentialsPlace,
  credentials: RepositoryCredentials,
): Promise<Sealed> {
  return keyRing.seal(place.tenantId, contextOf(place), JSON.stringify(credentials));
}

/**
 * Decrypts the credentials of one source and origin.
 *
 * @returns null if the key that sealed them was destroyed.
 * @throws Error if they were sealed for another place or modified; the error contains no part of
 * them.
 */
export async function openCredentials(
  keyRing: KeyRing,
  place: CredentialsPlace,
  sealed: string,
): Promise<RepositoryCredentials | null> {
  const opened = await keyRing.open(place.tenantId, contextOf(place), sealed as Sealed);
  if (opened === null) return null;
  const read = repositoryCredentialsSchema.safeParse(JSON.parse(opened));
  // The schema's own error could quote the credentials.
  if (!read.success)
    throw new Error(
      'The sealed credentials of a source have a form that this version does not know',
    );
  return read.data;
}

function contextOf({ sourceId, origin }: CredentialsPlace): string {
  return `source-${sourceId}/credentials/${origin}`;
}
