import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';

import { Inject, Injectable } from '@nestjs/common';

import { type SourceDefinition, validationFailed } from '#contracts';
import {
  credentialsFor,
  credentialsOrigin,
  type GivenCredentials,
  type RepositoryCredentials,
} from '#ingest/credentials/repository-credentials';
import { sealCredentials } from '#ingest/credentials/sealed-credentials';
import { type Config, KEY_RING, KeyDestroyedError, type KeyRing, type Sealed } from '#platform';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';

type DefinedBy = Pick<SourceDefinition, 'source_type' | 'url'>;

const FINGERPRINT_BYTES = 32;
const derive = promisify<string, string, number, Buffer>(scrypt);

/** Stores the credentials of sources: they leave this class sealed, and only a sync opens them. */
@Injectable()
export class SourceCredentials {
  constructor(
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws FootnoteError `validation_failed` for what does not fit the source; it quotes nothing
   * of it.
   */
  check({ source_type, url }: DefinedBy, given: GivenCredentials): RepositoryCredentials {
    if (source_type !== 'repo') throw refused('applies to repo sources only');
    const credentials = credentialsFor(url, given, this.config.network);
    if (typeof credentials === 'string') throw refused(credentials);
    return credentials;
  }

  /** Seals credentials that were checked, for one source and the origin of its URL. */
  async seal(
    tenantId: string,
    sourceId: string,
    url: string,
    credentials: RepositoryCredentials,
  ): Promise<Sealed> {
    const origin = this.originOf(url);
    if (origin === null) throw refused('needs a url that is one of a repository');
    try {
      return await sealCredentials(this.keyRing, { tenantId, sourceId, origin }, credentials);
    } catch (error) {
      if (!(error instanceof KeyDestroyedError)) throw error;
      throw refused("cannot be kept: this tenant's data key was destroyed");
    }
  }

  /**
   * A caller that may change a source's URL need not know its credentials: unchanged credentials
   * are not sent to another place.
   *
   * @throws FootnoteError `validation_failed`.
   */
  requireSameOrigin(current: DefinedBy, changed: DefinedBy): void {
    if (this.originOf(current.url) === this.originOf(changed.url)) return;
    throw refused(
      'were given for another host; give them again with this url, or null to remove them',
    );
  }

  /**
   * The one place that credentials given for a URL are for; null where the URL is no repository's.
   */
  originOf(url: string): string | null {
    return credentialsOrigin(url, this.config.network);
  }

  /**
   * Returns a body that an idempotency key can identify. A fingerprint distinguishes its
   * credentials from others. It cannot be guessed from the log, which has neither the key that
   * salts it nor anything that is cheap to try.
   */
  async identified<Body extends { readonly credentials?: GivenCredentials | null }>(
    { tenantId, idempotencyKey }: Caller,
    body: Body,
  ): Promise<unknown> {
    const { credentials, ...open } = body;
    if (!credentials || idempotencyKey === undefined) return body;
    const { username = null, token = null, ssh_key = null } = credentials;
    const salt = `${tenantId}\n${idempotencyKey}`;
    const fingerprint = await derive(
      JSON.stringify([username, token, ssh_key]),
      salt,
      FINGERPRINT_BYTES,
    );
    return { ...open, credentials: { fingerprint: fingerprint.toString('hex') } };
  }
}

function refused(message: string) {
  return validationFailed([{ field: 'credentials', message }]);
}
