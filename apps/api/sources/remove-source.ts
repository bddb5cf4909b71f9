import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { type Audience, isFootnoteError } from '#contracts';
import { jobDecider, sourceDecider } from '#domain';
import { uuidv5 } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { LastJobs } from './last-job.js';
import { LiveSources } from './live-sources.js';
import { registeredForTenant } from './registered-for-tenant.js';

/** Removes a source with everything indexed of it; its history stays. */
export class RemoveSource extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    /** Audience of the source. Default: its tenant. */
    readonly audience?: Audience,
  ) {
    super();
  }
}

/**
 * SourceRemoved overrides any publication, so it comes first; the running job is cancelled after
 * it. Should this process die between the two, the dispatcher repeats the second.
 */
@Handles(RemoveSource)
export class RemoveSourceHandler implements ICommandHandler<RemoveSource> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly lastJobs: LastJobs,
    private readonly liveSources: LiveSources,
  ) {}

  async execute({ caller, sourceId, audience }: RemoveSource): Promise<void> {
    const absent = () => notFound('source_not_found', sourceId);
    const { state, position } = await this.commands.run({
      caller,
      identity: await this.identities.of(caller, undefined),
      stream: `source-${requireId('source_not_found', sourceId)}`,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: (current) =>
        sourceDecider.decide(
          { type: 'RemoveSource', data: {} },
          registeredForTenant(current, absent, audience),
        ),
    });
    await Promise.all([
      state.status !== 'absent' && this.cancelJob(caller, state.last_job_id),
      this.projected.reached('sources', position),
      position !== null && this.liveSources.projection.waitFor(position, PROJECTION_WAIT_MS),
    ]);
  }

  private async cancelJob(caller: Caller, jobId: string | null): Promise<void> {
    const { state } = await this.lastJobs.of(jobId);
    if (jobId === null || (state.status !== 'pending' && state.status !== 'running')) return;
    try {
      const { position } = await this.commands.run({
        caller,
        identity: {
          ...(await this.identities.of(caller, undefined)),
          commandId: uuidv5('cancel-removed', jobId),
        },
        stream: `job-${jobId}`,
        decider: jobDecider,
        expected: 'existing',
        decide: (current) => jobDecider.decide({ type: 'CancelJob', data: {} }, current),
      });
      await this.projected.reached('jobs', position);
    } catch (error) {
      if (!isFootnoteError(error, 'job_finished')) throw error;
    }
  }
}
