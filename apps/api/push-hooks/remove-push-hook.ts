import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { sourceDecider } from '#domain';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { registeredForTenant } from '../sources/registered-for-tenant.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { KnownPushHooks } from './known-push-hooks.js';

/** Has a source take no pushes any more; one that takes none stays as it is. */
export class RemovePushHook extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
  ) {
    super();
  }
}

@Handles(RemovePushHook)
export class RemovePushHookHandler implements ICommandHandler<RemovePushHook> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly hooks: KnownPushHooks,
  ) {}

  async execute({ caller, sourceId }: RemovePushHook): Promise<void> {
    const absent = () => notFound('source_not_found', sourceId);
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `source-${requireId('source_not_found', sourceId)}`,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: (current) =>
        sourceDecider.decide(
          { type: 'RemoveHook', data: {} },
          registeredForTenant(current, absent),
        ),
    });
    await this.projected.reached('sources', position);
    if (position !== null) await this.hooks.projection.waitFor(position, PROJECTION_WAIT_MS);
  }
}
