import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import {
  FootnoteError,
  MOST_OPEN_ROVER_JOBS,
  MOST_ROVER_REPOS,
  type RateLimit,
  validationFailed,
} from '#contracts';
import type { CreateRoverJobBody, RoverJobView } from '#contracts/http/index';
import { roverDecider, roverPlaces } from '#domain';
import { CLOCK, type Clock, type Config, KEY_RING, type KeyRing, sealParts } from '#platform';
import { countOpenRoverJobs } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, CONFIG, READ_MODEL } from '../engines/engines.js';
import { PrepaidWork } from '../quota/prepaid-work.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { RoverJobs } from './rover-jobs.js';

/** Bytes of one sealed part of a question. */
const PART_BYTES = 8_000;
/** Time after which some of the open jobs have ended, seconds. */
const RETRY_AFTER = 60;

export interface CreatedRoverJob {
  readonly job: RoverJobView;
  /** Null if the plan has no limit. */
  readonly rateLimit: RateLimit | null;
}

/** Charges and opens a research job. */
export class CreateRoverJob extends Command<CreatedRoverJob> {
  constructor(
    readonly caller: Caller,
    readonly body: Readonly<CreateRoverJobBody>,
  ) {
    super();
  }
}

@Handles(CreateRoverJob)
export class CreateRoverJobHandler implements ICommandHandler<CreateRoverJob> {
  constructor(
    private readonly identities: CommandIdentities,
    private readonly commands: StreamCommands,
    private readonly prepaid: PrepaidWork,
    private readonly projected: Projected,
    private readonly jobs: RoverJobs,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, body }: CreateRoverJob): Promise<CreatedRoverJob> {
    const { question, mode, repos = [] } = body;
    const { tenantId } = caller;
    const most = MOST_ROVER_REPOS[mode];
    if (repos.length > most) {
      const message = `must have at most ${most} items in mode ${mode} (got ${repos.length})`;
      throw validationFailed([{ field: 'repos', message }]);
    }
    const identity = await this.identities.of(caller, body);
    const id = identity.newId('rover-job');
    const order = { caller, metric: 'rover' } as const;
    const { rateLimit } = await this.prepaid.chargeFirst(
      order,
      identity.commandId,
      async (charge) => {
        const place = { tenantId, boundTo: roverPlaces.question(id) };
        const sealed = await sealParts(this.keyRing, place, question, [PART_BYTES, PART_BYTES]);
        const data = {
          rover_job_id: id,
          question: [...sealed],
          mode,
          repos: [...repos],
          budget: this.config.rover.budgets[mode],
          consumption_id: charge.consumptionId,
          requested_at: this.clock.now().toISOString(),
        };
        const { position } = await this.commands.run({
          caller,
          identity,
          stream: `rover-${id}`,
          decider: roverDecider,
          expected: 'any',
          decide: async (state) => {
            await this.refuseTooMany(tenantId);
            return roverDecider.decide({ type: 'RequestRoverJob', data }, state);
          },
        });
        await this.projected.reached('rover_jobs', position);
        return charge;
      },
    );
    return { job: await this.jobs.get(caller, id), rateLimit };
  }

  /** Counts by the read model: requests at the same moment may come a few above. */
  private async refuseTooMany(tenantId: string): Promise<void> {
    const open = await this.readModel.ask(countOpenRoverJobs, tenantId);
    if (open < MOST_OPEN_ROVER_JOBS) return;
    throw new FootnoteError(
      'rate_limited',
      `A tenant has at most ${MOST_OPEN_ROVER_JOBS} open rover jobs (got ${open}); ` +
        'cancel one or wait',
      { retryAfter: RETRY_AFTER },
    );
  }
}
