import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { PushHookView } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { type Config, KEY_RING, type KeyRing, newHookSecret } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { CONFIG } from '../engines/engines.js';
import { registeredForTenant } from '../sources/registered-for-tenant.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { hookSecretContext } from './hook-secret-seal.js';
import { KnownPushHooks } from './known-push-hooks.js';

/** Has a source take pushes that are signed with a new secret, and with no older one. */
export class SetPushHook extends Command<PushHookView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    /**
     * The request's own origin, such as `https://api.example.com`; returned where PUBLIC_URL is not
     * set.
     */
    readonly origin: string,
  ) {
    super();
  }
}

@Handles(SetPushHook)
export class SetPushHookHandler implements ICommandHandler<SetPushHook> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly hooks: KnownPushHooks,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The secret is in the answer of the request that made it and nowhere else: a twin request
   * answers without it.
   */
  async execute({ caller, sourceId, origin }: SetPushHook): Promise<PushHookView> {
    const absent = () => notFound('source_not_found', sourceId);
    const stream = `source-${requireId('source_not_found', sourceId)}` as const;
    const identity = await this.identities.of(caller, undefined);
    const hookId = identity.newId('hook');
    const secret = newHookSecret();
    const sealed = await this.keyRing.seal(
      caller.tenantId,
      hookSecretContext(sourceId, hookId),
      secret,
    );
    const { position, appended } = await this.commands.run({
      caller,
      identity,
      stream,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: (current) =>
        sourceDecider.decide(
          { type: 'SetHook', data: { hook_id: hookId, secret: sealed } },
          registeredForTenant(current, absent),
        ),
    });
    await this.projected.reached('sources', position);
    if (position !== null) await this.hooks.projection.waitFor(position, PROJECTION_WAIT_MS);
    const url = `${this.config.http.publicUrl ?? origin}/sources/${sourceId}/hooks/push`;
    return { url, ...(appended ? { secret } : {}) };
  }
}
