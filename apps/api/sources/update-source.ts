import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { shownDefinition } from '#contracts';
import type { SourceView, UpdateSourceBody } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import type { Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { CONFIG, READ_MODEL, type ApiReadModel } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { PROJECTION_WAIT_MS, Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { LiveSources } from './live-sources.js';
import { changedDefinition, touchesDefinition } from './source-definition.js';
import { requirePlace } from './source-place.js';
import { isForTenant } from './visible-sources.js';

/** Changes any creation field but the type; what is fetched changes at the next sync. */
export class UpdateSource extends Command<SourceView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly body: UpdateSourceBody,
  ) {
    super();
  }
}

@Handles(UpdateSource)
export class UpdateSourceHandler implements ICommandHandler<UpdateSource> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly liveSources: LiveSources,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, sourceId, body }: UpdateSource): Promise<SourceView> {
    await requirePlace(body.url, this.config.network);
    const absent = () => notFound('source_not_found', sourceId);
    const { state, metadata, position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, body),
      stream: `source-${requireId('source_not_found', sourceId)}`,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: (current) => {
        if (current.status !== 'registered' || !isForTenant(current.audience)) throw absent();
        const definition = touchesDefinition(body)
          ? { definition: changedDefinition(current.definition, body, this.config.network) }
          : {};
        const name = body.name === undefined ? {} : { name: body.name };
        return sourceDecider.decide({ type: 'UpdateSource', data: { ...name, ...definition } }, current);
      },
    });
    const current = await this.projected.reached('sources', position);
    if (position !== null) await this.liveSources.projection.waitFor(position, PROJECTION_WAIT_MS);
    const row = await this.readModel.getSource(caller.tenantId, sourceId);
    if (!row || state.status !== 'registered') throw absent();
    if (current) return row;
    const updatedAt = metadata?.occurred_at ?? row.updated_at;
    return { ...row, name: state.name, ...shownDefinition(state.definition), updated_at: updatedAt };
  }
}
