import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { Position } from '#contracts';
import type { SyncAccepted } from '#contracts/http/index';
import { jobDecider, openJob, sourceDecider, type RegisteredSource, type SourceState } from '#domain';
import { EVENT_STORE, readEvent, type EventStore } from '#event-store';
import { uuidv5, type Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { CONFIG } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import type { CommandIdentity } from '../write/command-identity.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { LastJobs, type LastJob } from './last-job.js';
import { isForTenant } from './visible-sources.js';

/** Starts a sync. */
export class RequestSync extends Command<SyncAccepted> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    /** Of a command that this one is a part of; default that of the request. */
    readonly identity?: CommandIdentity,
  ) {
    super();
  }
}

/** Thrown out of `decide` when the source got another last job than the one that was looked at. */
class LastJobChanged extends Error {}

const MAX_LOOKS = 20;

/**
 * Two appends in a fixed order, each safe to repeat: SourceSyncRequested at the source's revision, which fences
 * simultaneous syncs, then JobRequested. Should this process die between them, the dispatcher repeats the second.
 */
@Handles(RequestSync)
export class RequestSyncHandler implements ICommandHandler<RequestSync> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly lastJobs: LastJobs,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, sourceId, identity: given }: RequestSync): Promise<SyncAccepted> {
    requireId('source_not_found', sourceId);
    const identity = given ?? (await this.identities.of(caller, undefined));
    const jobId = identity.newId('job');
    const accepted = await this.accept(caller, identity, sourceId, jobId);
    const requested = await this.openJob(caller, accepted.source, jobId, accepted.lastJob);
    await Promise.all([
      this.projected.reached('sources', accepted.position),
      this.projected.reached('jobs', requested),
    ]);
    return { job_id: jobId, source_id: sourceId, message: `Sync of ${accepted.source.name} started` };
  }

  private async accept(caller: Caller, identity: CommandIdentity, sourceId: string, jobId: string) {
    const absent = () => notFound('source_not_found', sourceId);
    for (let look = 1; ; look += 1) {
      const before = await this.jobBefore(sourceId, jobId);
      const lastJob = await this.lastJobs.of(before);
      try {
        const { state, position } = await this.commands.run({
          caller,
          identity,
          stream: `source-${sourceId}`,
          decider: sourceDecider,
          expected: 'existing',
          absent,
          decide: (current) => {
            if (current.status !== 'absent' && !isForTenant(current.audience)) throw absent();
            if (lastJobOf(current) !== before && look < MAX_LOOKS) throw new LastJobChanged();
            const data = { job_id: jobId, last_job_open: lastJob.open };
            return sourceDecider.decide({ type: 'RequestSync', data }, current);
          },
        });
        if (state.status !== 'registered') throw absent();
        return { source: state, position, lastJob };
      } catch (error) {
        if (!(error instanceof LastJobChanged)) throw error;
      }
    }
  }

  /** The source's last job but `jobId` itself, which a repeated request finds there. */
  private async jobBefore(sourceId: string, jobId: string): Promise<string | null> {
    let before: string | null = null;
    for await (const recorded of this.store.read(`source-${sourceId}`)) {
      const event = readEvent(recorded);
      if (event?.type === 'SourceSyncRequested' && event.data.job_id !== jobId) before = event.data.job_id;
    }
    return before;
  }

  private async openJob(
    caller: Caller,
    source: RegisteredSource,
    jobId: string,
    lastJob: LastJob,
  ): Promise<Position | null> {
    const command = openJob({ jobId, source, lastJob: lastJob.state, maxRetries: this.config.jobs.maxRetries });
    const { position } = await this.commands.run({
      caller,
      identity: { commandId: jobId, idempotency: undefined, newId: (kind) => uuidv5(kind, jobId) },
      stream: `job-${jobId}`,
      decider: jobDecider,
      expected: 'new',
      decide: (current) => jobDecider.decide(command, current),
    });
    return position;
  }
}

function lastJobOf(state: SourceState): string | null {
  return state.status === 'absent' ? null : state.last_job_id;
}
