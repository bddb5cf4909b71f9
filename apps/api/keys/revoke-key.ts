import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError } from '#contracts';
import { apiKeyDecider } from '#domain';
import { KeyedQueue } from '#platform';

import type { Caller } from '../auth/caller.js';
import { KnownApiKeys } from '../auth/known-api-keys.js';
import type { KeyPrincipal } from '../auth/principal.js';
import { notFound, requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';

/** Ends a key for good; one that is already revoked stays so. */
export class RevokeKey extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly keyId: string,
    /** Also the last key that could make another. */
    readonly force: boolean,
  ) {
    super();
  }
}

@Handles(RevokeKey)
export class RevokeKeyHandler implements ICommandHandler<RevokeKey> {
  /** Two revocations of a tenant see the effects of each other. */
  private readonly turns = new KeyedQueue();

  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly keys: KnownApiKeys,
  ) {}

  /**
   * This process rejects the key before the answer leaves; others do within a second.
   *
   * @throws FootnoteError `last_key` where the tenant could make no key any more, as far as this
   * process knows. If two revoke one each in the same moment, both may succeed; docs/errors.md
   * describes that and an operator's command repairs it
   */
  execute({ caller, keyId, force }: RevokeKey): Promise<void> {
    return this.turns.run(caller.tenantId, () => {
      if (!force) this.refuseLast(caller.tenantId, keyId);
      return this.revoke(caller, keyId);
    });
  }

  private refuseLast(tenantId: string, keyId: string): void {
    const live = this.keys.liveOf(tenantId);
    const others = live.filter((key) => key.keyId !== keyId);
    const canIssue = (keys: readonly KeyPrincipal[]) =>
      keys.some(({ scopes }) => scopes.includes('write'));
    if (others.length === live.length || canIssue(others)) return;
    if (others.length > 0 && !canIssue(live)) return;
    throw new FootnoteError(
      'last_key',
      'This is the last key of the tenant that can make another; force=true revokes it all the same',
    );
  }

  private async revoke(caller: Caller, keyId: string): Promise<void> {
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
