import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ListSourcesQuery, SourceList } from '#contracts/http/index';
import { listSources } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';

export class ListSources extends Query<SourceList> {
  constructor(
    readonly caller: Caller,
    readonly filter: ListSourcesQuery,
  ) {
    super();
  }
}

@Handles(ListSources)
export class ListSourcesHandler implements IQueryHandler<ListSources> {
  constructor(@Inject(READ_MODEL) private readonly readModel: ApiReadModel) {}

  async execute({ caller, filter }: ListSources): Promise<SourceList> {
    const { sources, total } = await this.readModel.ask(listSources, caller.tenantId, filter);
    return { sources: [...sources], total };
  }
}
