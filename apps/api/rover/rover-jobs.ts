import { Inject, Injectable } from '@nestjs/common';

import type { RoverEvent, RoverResult } from '#contracts';
import type { RoverJobView } from '#contracts/http/index';
import { roverDecider, type RoverJob, roverPlaces, type RoverState } from '#domain';
import { EVENT_STORE, type EventStore, type ReadEvent, readEvent } from '#event-store';
import { KEY_RING, type KeyRing, openParts } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { roverJobView } from './rover-job-view.js';

/** Shown instead of text whose key was destroyed. */
const ERASED = '[erased]';

/** A job with the sealed parts of its answer. */
export interface FoldedRoverJob {
  readonly state: RoverState;
  readonly answer: readonly string[];
}

/** A completed job; its result is null once the key of its tenant was destroyed. */
export interface CompletedRoverJob {
  readonly view: RoverJobView;
  readonly result: RoverResult | null;
}

/** The fold of a job before its first event. */
export const NO_ROVER_JOB: FoldedRoverJob = Object.freeze({
  state: roverDecider.initial,
  answer: [],
});

/** Returns a job after one more event of its stream. */
export function roverJobAfter(
  { state, answer }: FoldedRoverJob,
  event: ReadEvent<RoverEvent['type']>,
): FoldedRoverJob {
  const after = roverDecider.evolve(state, event);
  if (event.type === 'RoverAnswerContinued')
    return { state: after, answer: [...answer, event.data.sealed] };
  if (event.type === 'RoverJobCompleted' && event.data.answer !== null)
    return { state: after, answer: [event.data.answer, ...answer] };
  return { state: after, answer };
}

/** Rover jobs as their streams have them, opened for their tenant. */
@Injectable()
export class RoverJobs {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  /** @throws FootnoteError `rover_job_not_found`, also for jobs of other tenants. */
  async get({ tenantId }: Caller, id: string): Promise<RoverJobView> {
    const found = await this.find(tenantId, requireId('rover_job_not_found', id));
    if (!found) throw notFound('rover_job_not_found', id);
    return this.view(tenantId, found);
  }

  /** Returns the job as its tenant sees it. */
  async view(tenantId: string, { state, answer }: FoldedRoverJob): Promise<RoverJobView> {
    const job = opened(state);
    const place = { tenantId, boundTo: roverPlaces.question(job.rover_job_id) };
    const question = (await openParts(this.keyRing, place, job.question)) ?? ERASED;
    return roverJobView(job, question, await this.result(tenantId, job, answer));
  }

  /**
   * Returns a completed job with its result for a receipt; null if there is no such job.
   */
  async completed({ tenantId }: Caller, id: string): Promise<CompletedRoverJob | null> {
    const found = await this.find(tenantId, id);
    if (found?.state.status !== 'completed') return null;
    const job = opened(found.state);
    const view = await this.view(tenantId, found);
    return { view, result: await this.result(tenantId, job, found.answer) };
  }

  /** Returns the text of one part of the tokens; null if its key was destroyed. */
  token(tenantId: string, id: string, part: number, sealed: string): Promise<string | null> {
    return openParts(this.keyRing, { tenantId, boundTo: roverPlaces.token(id, part) }, [sealed]);
  }

  private async find(tenantId: string, id: string): Promise<FoldedRoverJob | null> {
    let folded = NO_ROVER_JOB;
    for await (const recorded of this.store.read(`rover-${id}`)) {
      if (recorded.metadata.tenant_id !== tenantId) return null;
      const event = readEvent(recorded);
      if (event) folded = roverJobAfter(folded, event as ReadEvent<RoverEvent['type']>);
    }
    return folded.state.status === 'absent' ? null : folded;
  }

  private async result(
    tenantId: string,
    { rover_job_id, status }: RoverJob,
    answer: readonly string[],
  ): Promise<RoverResult | null> {
    if (status !== 'completed') return null;
    const place = { tenantId, boundTo: roverPlaces.answer(rover_job_id) };
    const text = await openParts(this.keyRing, place, answer);
    return text === null ? null : (JSON.parse(text) as RoverResult);
  }
}

function opened(state: RoverState): RoverJob {
  if (state.status === 'absent') throw new Error('A rover job without events has no view');
  return state;
}
