import { Inject } from '@nestjs/common';
import { Query, type IQueryHandler } from '@nestjs/cqrs';

import type { JobView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { READ_MODEL, type ApiReadModel } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { JobEnds } from './job-ends.js';

export class GetJob extends Query<JobView> {
  constructor(
    readonly caller: Caller,
    readonly jobId: string,
  ) {
    super();
  }
}

@Handles(GetJob)
export class GetJobHandler implements IQueryHandler<GetJob> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly ends: JobEnds,
  ) {}

  async execute({ caller, jobId }: GetJob): Promise<JobView> {
    const job = await this.readModel.getJob(caller.tenantId, requireId('job_not_found', jobId));
    if (!job) throw notFound('job_not_found', jobId);
    await this.ends.show([job]);
    return job;
  }
}
