import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { StreamName } from '#contracts';
import type { SourceView } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { getSource } from '#read-model';
import { isForTenant } from '#search';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { Unprojected } from '../write/unprojected.js';
import { newSourceView } from './source-view.js';

export class GetSource extends Query<SourceView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
  ) {
    super();
  }
}

@Handles(GetSource)
export class GetSourceHandler implements IQueryHandler<GetSource> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly unprojected: Unprojected,
  ) {}

  async execute({ caller, sourceId }: GetSource): Promise<SourceView> {
    const id = requireId('source_not_found', sourceId);
    const source =
      (await this.readModel.ask(getSource, caller.tenantId, id)) ??
      (await this.notYetProjected(caller, id));
    if (!source) throw notFound('source_not_found', sourceId);
    return source;
  }

  /** Returns a source as registered while the read model has not reached its first event. */
  private async notYetProjected(caller: Caller, sourceId: string): Promise<SourceView | null> {
    const stream: StreamName = `source-${sourceId}`;
    const first = await this.unprojected.firstEvent('sources', stream, caller);
    if (!first) return null;
    const { state } = await foldStream(this.store, sourceDecider, stream);
    if (state.status !== 'registered' || !isForTenant(state.audience)) return null;
    const registered = newSourceView(sourceId, state, first.metadata.occurred_at);
    const { last_job_id } = state;
    const status = last_job_id === null ? registered.status : 'syncing';
    return { ...registered, status, last_job_id, has_push_hook: state.hook !== null };
  }
}
