import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { apiKeyDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { KnownApiKeys } from '../auth/known-api-keys.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { PROJECTION_WAIT_MS, Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';

/** Ends a key for good; one that is already revoked stays so. */
export class RevokeKey extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly keyId: string,
  ) {
    super();
  }
}

@Handles(RevokeKey)
export class RevokeKeyHandler implements ICommandHandler<RevokeKey> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly keys: KnownApiKeys,
  ) {}

  /** This process refuses the key before the answer leaves; others do within a second. */
  async execute({ caller, keyId }: RevokeKey): Promise<void> {
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `apikey-${requireId('key_not_found', keyId)}`,
      decider: apiKeyDecider,
      expected: 'existing',
      absent: () => notFound('key_not_found', keyId),
      decide: (current) => apiKeyDecider.decide({ type: 'RevokeApiKey', data: {} }, current),
    });
    if (position !== null) await this.keys.projection.waitFor(position, PROJECTION_WAIT_MS);
    this.keys.forget(keyId);
    await this.projected.reached('api_keys', position);
  }
}
