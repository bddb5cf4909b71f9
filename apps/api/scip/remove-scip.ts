import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore } from '#event-store';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { refuseUnderHold } from '../legal-hold/refuse-under-hold.js';
import { registeredForTenant } from '../sources/registered-for-tenant.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { KnownScipUploads } from './known-scip-uploads.js';
import { requireScipName } from './scip-name.js';

/** Removes the SCIP index of a name, or all of a source; has no effect if there is none. */
export class RemoveScip extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly name: string | undefined,
  ) {
    super();
  }
}

@Handles(RemoveScip)
export class RemoveScipHandler implements ICommandHandler<RemoveScip> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly uploads: KnownScipUploads,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws FootnoteError `source_not_found`; `validation_failed`; `legal_hold`. */
  async execute({ caller, sourceId, name }: RemoveScip): Promise<void> {
    if (name !== undefined) requireScipName(name);
    const absent = () => notFound('source_not_found', sourceId);
    const stream = `source-${requireId('source_not_found', sourceId)}` as const;
    await refuseUnderHold(this.store, caller.tenantId);
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: (current) =>
        sourceDecider.decide(
          { type: 'RemoveScip', data: name === undefined ? {} : { name } },
          registeredForTenant(current, absent),
        ),
    });
    await this.projected.reached('sources', position);
    if (position !== null) await this.uploads.projection.waitFor(position, PROJECTION_WAIT_MS);
  }
}
