import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { JobList, ListJobsQuery } from '#contracts/http/index';
import { listJobs } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { JobVisibility } from './job-visibility.js';

export class ListJobs extends Query<JobList> {
  constructor(
    readonly caller: Caller,
    readonly filter: ListJobsQuery,
  ) {
    super();
  }
}

@Handles(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly visibility: JobVisibility,
  ) {}

  async execute({ caller, filter }: ListJobs): Promise<JobList> {
    const { jobs, total } = await this.readModel.ask(listJobs, caller.tenantId, filter);
    await this.visibility.show(jobs);
    return { jobs: [...jobs], total };
  }
}
