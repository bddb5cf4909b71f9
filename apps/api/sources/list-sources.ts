import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ListSourcesQuery, SourceList } from '#contracts/http/index';
import { listSources } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { type Dated, Moments } from '../history/moments.js';
import { PastSources } from '../history/past-sources.js';
import { Handles } from '../use-cases/handles.js';
import { RefinedShares } from './refined-shares.js';

/** Returns a page of the caller's sources, now or as they were. */
export class ListSources extends Query<Dated<SourceList>> {
  constructor(
    readonly caller: Caller,
    readonly filter: ListSourcesQuery,
  ) {
    super();
  }
}

@Handles(ListSources)
export class ListSourcesHandler implements IQueryHandler<ListSources> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly moments: Moments,
    private readonly past: PastSources,
    private readonly refined: RefinedShares,
  ) {}

  async execute({ caller, filter }: ListSources): Promise<Dated<SourceList>> {
    const { tenantId } = caller;
    const moment = await this.moments.asked(tenantId, filter);
    if (moment) return { answer: await this.past.list(tenantId, moment, filter), moment };
    const { sources, total } = await this.readModel.ask(listSources, tenantId, filter);
    const shown = sources.map((source) => this.refined.shown(tenantId, source));
    return { answer: { sources: shown, total }, moment };
  }
}
