import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { PUBLIC_TENANT } from '#contracts';
import type { JobView } from '#contracts/http/index';
import { getJob, getPackageJob } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { KnownLinks } from '../package-links/known-links.js';
import { Handles } from '../use-cases/handles.js';
import { projectedOrLogged } from '../write/unprojected.js';
import { JobVisibility } from './job-visibility.js';
import { UnprojectedJob } from './unprojected-job.js';

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
    private readonly visibility: JobVisibility,
    private readonly links: KnownLinks,
    private readonly unprojected: UnprojectedJob,
  ) {}

  async execute({ caller, jobId }: GetJob): Promise<JobView> {
    const id = requireId('job_not_found', jobId);
    const job = await projectedOrLogged(
      async () =>
        (await this.readModel.ask(getJob, caller.tenantId, id)) ??
        (await this.ofLinkedPackage(caller, id)),
      () => this.unprojected.find(caller, id),
    );
    if (!job) throw notFound('job_not_found', jobId);
    await this.visibility.show([job]);
    return job;
  }

  /** Returns the job that indexes a package to tenants that link the package. */
  private async ofLinkedPackage({ tenantId }: Caller, jobId: string): Promise<JobView | null> {
    const { packages } = this.links.of(tenantId);
    if (packages.size === 0) return null;
    const owners = [PUBLIC_TENANT, tenantId];
    const found = await Promise.all(
      owners.map((owner) => this.readModel.ask(getPackageJob, owner, jobId)),
    );
    return found.find((one) => one && packages.has(one.packageId))?.job ?? null;
  }
}
