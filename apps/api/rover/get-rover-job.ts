import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { RoverJobView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { RoverJobs } from './rover-jobs.js';

export class GetRoverJob extends Query<RoverJobView> {
  constructor(
    readonly caller: Caller,
    readonly jobId: string,
  ) {
    super();
  }
}

@Handles(GetRoverJob)
export class GetRoverJobHandler implements IQueryHandler<GetRoverJob> {
  constructor(private readonly jobs: RoverJobs) {}

  execute({ caller, jobId }: GetRoverJob): Promise<RoverJobView> {
    return this.jobs.get(caller, jobId);
  }
}
