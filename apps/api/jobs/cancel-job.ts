import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { JobView } from '#contracts/http/index';
import { jobDecider } from '#domain';
import { getJob } from '#read-model';
import { isForTenant } from '#search';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { projectedOrLogged } from '../write/unprojected.js';
import { UnprojectedJob } from './unprojected-job.js';

/** Ends an open job; one that is already cancelled stays as it is. */
export class CancelJob extends Command<JobView> {
  constructor(
    readonly caller: Caller,
    readonly jobId: string,
  ) {
    super();
  }
}

@Handles(CancelJob)
export class CancelJobHandler implements ICommandHandler<CancelJob> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly unprojected: UnprojectedJob,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller, jobId }: CancelJob): Promise<JobView> {
    const absent = () => notFound('job_not_found', jobId);
    const { metadata, position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `job-${requireId('job_not_found', jobId)}`,
      decider: jobDecider,
      expected: 'existing',
      absent,
      decide: (current) => {
        if (current.status !== 'absent' && !isForTenant(current.audience)) throw absent();
        return jobDecider.decide({ type: 'CancelJob', data: {} }, current);
      },
    });
    const [current] = await Promise.all([
      this.projected.reached('jobs', position),
      this.projected.reached('sources', position),
    ]);
    const job = await projectedOrLogged(
      () => this.readModel.ask(getJob, caller.tenantId, jobId),
      () => this.unprojected.find(caller, jobId),
    );
    if (!job) throw absent();
    if (current) return job;
    return { ...job, status: 'cancelled', completed_at: metadata?.occurred_at ?? job.completed_at };
  }
}
