import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ListRoverJobsQuery, RoverJobList, RoverJobView } from '#contracts/http/index';
import { mapBounded } from '#platform';
import { listRoverJobs } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { RoverJobs } from './rover-jobs.js';

/** Streams read at once. */
const READS = 4;

export class ListRoverJobs extends Query<RoverJobList> {
  constructor(
    readonly caller: Caller,
    readonly page: Readonly<ListRoverJobsQuery>,
  ) {
    super();
  }
}

@Handles(ListRoverJobs)
export class ListRoverJobsHandler implements IQueryHandler<ListRoverJobs> {
  constructor(
    private readonly jobs: RoverJobs,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller, page: { page, per_page } }: ListRoverJobs): Promise<RoverJobList> {
    const skip = (page - 1) * per_page;
    const found = await this.readModel.ask(listRoverJobs, caller.tenantId, {
      skip,
      limit: per_page,
    });
    const jobs = new Map<string, RoverJobView>();
    await mapBounded(found.ids, READS, new AbortController().signal, async (id) => {
      jobs.set(id, await this.jobs.get(caller, id));
    });
    return {
      jobs: found.ids.flatMap((id) => jobs.get(id) ?? []),
      total: found.total,
      page,
      per_page,
    };
  }
}
