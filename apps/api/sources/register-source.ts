import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { CreateSourceBody, SourceView } from '#contracts/http/index';
import type { Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected } from '../write/projected.js';
import { SourceCredentials } from './source-credentials.js';
import { newDefinition } from './source-definition.js';
import { requirePlace } from './source-place.js';
import { SourceRegistrations } from './source-registrations.js';
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
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly credentials: SourceCredentials,
    private readonly registrations: SourceRegistrations,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, body }: RegisterSource): Promise<SourceView> {
    const definition = newDefinition(body.source_type, body, this.config.network);
    await requirePlace(
      definition.source_type === 'repo' ? definition.url : undefined,
      this.config.network,
    );
    const given = body.credentials && this.credentials.check(definition, body.credentials);
    const { sync_interval_seconds = 0 } = body;
    const interval = sync_interval_seconds === 0 ? {} : { sync_interval_seconds };
    const identity = await this.identities.of(
      caller,
      await this.credentials.identified(caller, body),
    );
    const sourceId = identity.newId('source');
    const sealed =
      given && (await this.credentials.seal(caller.tenantId, sourceId, definition.url, given));
    const data = {
      source_id: sourceId,
      name: body.name,
      definition,
      ...(sealed && { credentials: sealed }),
    };
    const registration = { ...data, ...interval };
    const { state, metadata, position } = await this.registrations.register(
      { caller, identity },
      registration,
    );
    await this.projected.reached('sources', position);
    const registered =
      state.status === 'absent'
        ? { ...data, credentials: sealed ?? null, sync_interval_seconds }
        : state;
    return newSourceView(sourceId, registered, metadata?.occurred_at ?? '');
  }
}
