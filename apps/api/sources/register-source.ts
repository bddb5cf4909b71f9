import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { CreateSourceBody, SourceView } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import type { Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { newDefinition } from './source-definition.js';
import { requirePlace } from './source-place.js';
import { newSourceView } from './source-view.js';

/** Registers a source; it starts no sync. */
export class RegisterSource extends Command<SourceView> {
  constructor(
    readonly caller: Caller,
    readonly body: CreateSourceBody,
  ) {
    super();
  }
}

@Handles(RegisterSource)
export class RegisterSourceHandler implements ICommandHandler<RegisterSource> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, body }: RegisterSource): Promise<SourceView> {
    const definition = newDefinition(body.source_type, body, this.config.network);
    await requirePlace(definition.source_type === 'repo' ? definition.url : undefined, this.config.network);
    const identity = await this.identities.of(caller, body);
    const sourceId = identity.newId('source');
    const { state, metadata, position } = await this.commands.run({
      caller,
      identity,
      stream: `source-${sourceId}`,
      decider: sourceDecider,
      expected: 'new',
      decide: (current) =>
        sourceDecider.decide(
          { type: 'RegisterSource', data: { source_id: sourceId, name: body.name, definition } },
          current,
        ),
    });
    await this.projected.reached('sources', position);
    const registered = state.status === 'absent' ? { name: body.name, definition } : state;
    return newSourceView(sourceId, registered.name, registered.definition, metadata?.occurred_at ?? '');
  }
}
