import { StageFailure } from '#contracts';
import {
  credentialsOrigin,
  type RepositoryCredentials,
} from '#ingest/credentials/repository-credentials';
import { openCredentials } from '#ingest/credentials/sealed-credentials';

import type { JobSource } from './job-sources.js';
import type { StageContext } from './stage.types.js';

/**
 * Opens the credentials that the source had when the sync was accepted.
 *
 * @throws StageFailure that is not retryable, when the key that sealed them is gone.
 */
export async function sourceCredentials(
  { job, tenantId, keyRing, config }: StageContext,
  { definition: { url }, credentials }: JobSource,
): Promise<RepositoryCredentials | undefined> {
  if (credentials === undefined) return undefined;
  const origin = credentialsOrigin(url, config.network);
  if (origin === null) return undefined;
  const opened = await openCredentials(
    keyRing,
    { tenantId, sourceId: job.source_id, origin },
    credentials,
  );
  if (opened !== null) return opened;
  const why =
    (await keyRing.standing(tenantId)) === 'destroyed'
      ? "this tenant's data key was destroyed, and they with it"
      : 'the key that sealed them is not in the key ring; give them again with PATCH /sources/{source_id}';
  throw new StageFailure(`The credentials for ${url} cannot be opened: ${why}`, false, { url });
}
