import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { StreamName } from '#contracts';
import type { AsOfQuery, SourceView } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { getSource } from '#read-model';
import { isForTenant } from '#search';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { type Dated, Moments } from '../history/moments.js';
import { PastSources } from '../history/past-sources.js';
import { Handles } from '../use-cases/handles.js';
import { projectedOrLogged, Unprojected } from '../write/unprojected.js';
import { RefinedShares } from './refined-shares.js';
import { newSourceView } from './source-view.js';

/** Returns one of the caller's sources, now or as it was. */
export class GetSource extends Query<Dated<SourceView>> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly asOf: AsOfQuery,
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
    private readonly moments: Moments,
    private readonly past: PastSources,
    private readonly refined: RefinedShares,
  ) {}

  async execute({ caller, sourceId, asOf }: GetSource): Promise<Dated<SourceView>> {
    const id = requireId('source_not_found', sourceId);
    const moment = await this.moments.asked(caller.tenantId, asOf);
    const source = moment
      ? await this.past.get(caller.tenantId, moment, id)
      : this.refined.shown(caller.tenantId, await this.present(caller, id));
    if (!source) throw notFound('source_not_found', sourceId);
    return { answer: source, moment };
  }

  private async present(caller: Caller, id: string): Promise<SourceView | null> {
    return projectedOrLogged(
      () => this.readModel.ask(getSource, caller.tenantId, id),
      () => this.notYetProjected(caller, id),
    );
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
