import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError, isReservedTenant, type KeyScope, validationFailed } from '#contracts';
import type { CreateKeyBody, IssuedKeyView } from '#contracts/http/index';
import { apiKeyDecider } from '#domain';
import { CLOCK, type Clock, newApiKeySecret } from '#platform';

import type { Caller } from '../auth/caller.js';
import { KnownApiKeys } from '../auth/known-api-keys.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';

const DEFAULT_SCOPES: readonly KeyScope[] = ['read', 'write'];

/** Makes a key for the caller's tenant. */
export class IssueKey extends Command<IssuedKeyView> {
  constructor(
    readonly caller: Caller,
    readonly body: CreateKeyBody,
  ) {
    super();
  }
}

@Handles(IssueKey)
export class IssueKeyHandler implements ICommandHandler<IssueKey> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly keys: KnownApiKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The secret is in the answer of the request that made the key and nowhere else: a twin request
   * answers without it.
   */
  async execute({ caller, body }: IssueKey): Promise<IssuedKeyView> {
    if (isReservedTenant(caller.tenantId)) {
      throw new FootnoteError(
        'scope_missing',
        `API keys cannot be issued for the reserved tenant ${caller.tenantId}`,
      );
    }
    const identity = await this.identities.of(caller, body);
    const keyId = identity.newId('key');
    const { secret, prefix, digest } = newApiKeySecret();
    const { state, metadata, position, appended } = await this.commands.run({
      caller,
      identity,
      stream: `apikey-${keyId}`,
      decider: apiKeyDecider,
      expected: 'new',
      decide: (current) => {
        const scopes = this.grantable(caller, body.scopes ?? DEFAULT_SCOPES);
        const expires_at = this.expiry(caller, body.expires_at);
        const data = { key_id: keyId, name: body.name, prefix, digest, scopes, expires_at };
        return apiKeyDecider.decide({ type: 'IssueApiKey', data }, current);
      },
    });
    if (state.status === 'absent') throw new Error(`Key ${keyId} was not issued`);
    await this.projected.reached('api_keys', position);
    if (position !== null) await this.keys.projection.waitFor(position, PROJECTION_WAIT_MS);
    return {
      id: keyId,
      name: state.name,
      prefix: state.prefix,
      scopes: [...state.scopes],
      ...(appended ? { key: secret } : {}),
      created_at: metadata?.occurred_at ?? '',
      expires_at: state.expires_at,
    };
  }

  /** A key grants no more than it has. */
  private grantable(caller: Caller, wanted: readonly KeyScope[]): KeyScope[] {
    const missing = wanted.find((scope) => !caller.scopes.includes(scope));
    if (missing)
      throw new FootnoteError(
        'scope_missing',
        `This API key does not have the scope ${missing} and cannot grant it`,
      );
    return [...wanted];
  }

  /** A key lasts no longer than the one that it is made with: by default as long. */
  private expiry(caller: Caller, expiresAt: string | undefined): string | null {
    const last = caller.expiresAt;
    if (expiresAt === undefined) return last === null ? null : new Date(last).toISOString();
    const instant = new Date(expiresAt);
    if (instant.getTime() <= this.clock.now().getTime()) {
      throw validationFailed([{ field: 'expires_at', message: 'must be in the future' }]);
    }
    if (last !== null && instant.getTime() > last) {
      const message = `must not be after ${new Date(last).toISOString()}, when the key of this request expires`;
      throw validationFailed([{ field: 'expires_at', message }]);
    }
    return instant.toISOString();
  }
}
