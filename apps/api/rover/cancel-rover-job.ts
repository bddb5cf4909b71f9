import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { RoverJobView } from '#contracts/http/index';
import { roverDecider } from '#domain';
import { CLOCK, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { RoverJobs } from './rover-jobs.js';

/** Cancels an open job; one that is already cancelled stays as it is. */
export class CancelRoverJob extends Command<RoverJobView> {
  constructor(
    readonly caller: Caller,
    readonly jobId: string,
  ) {
    super();
  }
}

@Handles(CancelRoverJob)
export class CancelRoverJobHandler implements ICommandHandler<CancelRoverJob> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly jobs: RoverJobs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, jobId }: CancelRoverJob): Promise<RoverJobView> {
    const cancelled_at = this.clock.now().toISOString();
    const { position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `rover-${requireId('rover_job_not_found', jobId)}`,
      decider: roverDecider,
      expected: 'existing',
      absent: () => notFound('rover_job_not_found', jobId),
      decide: (state) =>
        roverDecider.decide({ type: 'CancelRoverJob', data: { cancelled_at } }, state),
    });
    await this.projected.reached('rover_jobs', position);
    return this.jobs.get(caller, jobId);
  }
}
