import { isOpenRoverJob, roverDecider } from '#domain';
import { type EventStore, handleCommand, type RecordedDomainEvent } from '#event-store';
import { type Clock, type Logger, uuidv5 } from '#platform';
import { FairShares } from '#platform/concurrency/fair-shares';

import { systemContext } from '../log/commands.js';
import { foldState } from '../reactor/fold-state.js';
import type { Reactor } from '../reactor/reactor.types.js';
import { type ActiveRuns, JobEnded, ProcessStops } from '../worker/active-runs.js';
import { OPEN_ROVER_TYPES, type OpenRoverEntry, OpenRoverJobs } from './open-rover-jobs.js';
import { returnCharge } from './return-charge.js';

/** Pause after work that did not end a job, milliseconds. */
const RETRY_MS = 2_000;

export interface RoverReactorDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runs: ActiveRuns;
  /** Works on a job until it ends. */
  readonly work: (entry: OpenRoverEntry, controller: AbortController) => Promise<void>;
  /** Jobs that this process works on at once. */
  readonly places: number;
  readonly leaseMs: number;
  /** True if no other process can have a lease at the start. */
  readonly soleProcess: boolean;
}

/**
 * Works on rover jobs in every process. The first append to the stream of a job without a worker
 * takes the job. A job whose stream is silent for the length of a lease has lost its worker. The
 * reactor also returns the charges of failed jobs, and ends the jobs of erased tenants.
 */
export class RoverReactor implements Reactor {
  readonly name = 'rover';
  readonly eventTypes = OPEN_ROVER_TYPES;
  readonly runsEverywhere = true;
  readonly intervalMs = 1_000;
  private readonly open = new OpenRoverJobs();
  readonly state = foldState(1, this.open);
  /** Time of the newest event of a job, by the monotonic clock. */
  private readonly seenAt = new Map<string, number>();
  private readonly active = new Map<
    string,
    { readonly tenantId: string; readonly controller: AbortController; readonly end: Promise<void> }
  >();
  /**
   * Times before which a job is not taken, by the monotonic clock. Work on it just ended, and the
   * event that ends it may not have arrived.
   */
  private readonly restsUntil = new Map<string, number>();
  private readonly shares = new FairShares();
  private isLive = false;
  private isStopped = false;

  constructor(private readonly dependencies: RoverReactorDependencies) {}

  /** Blobs that open jobs still need. */
  *neededBlobs(): Generator<string> {
    for (const { blobs } of this.open.jobs.values()) yield* blobs;
  }

  apply(event: RecordedDomainEvent): boolean {
    this.open.apply(event);
    const { rover_job_id: id } = event.data as { readonly rover_job_id?: string };
    if (id === undefined) return event.type === 'TenantErasureRequested';
    if (!this.open.jobs.has(id)) {
      this.seenAt.delete(id);
      this.restsUntil.delete(id);
      this.active.get(id)?.controller.abort(new JobEnded());
      return true;
    }
    if (this.isLive) this.seenAt.set(id, this.dependencies.clock.monotonic());
    return event.type === 'RoverJobRequested' || event.type === 'RoverLeaseReleased';
  }

  caughtUp(): void {
    this.isLive = true;
    const { clock, soleProcess } = this.dependencies;
    if (soleProcess) return;
    // The age of history is unknown: leases count from now.
    for (const id of this.open.jobs.keys()) this.seenAt.set(id, clock.monotonic());
  }

  async run(): Promise<void> {
    for (const due of [...this.open.returns.values()]) {
      await returnCharge(this.dependencies, due);
      this.open.returns.delete(due.consumptionId);
    }
    for (const entry of [...this.open.jobs.values()])
      if (this.open.erased.has(entry.cause.tenantId)) await this.cancel(entry);
    this.takeDue();
  }

  /** Ends all work of this process; the jobs stay open. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const running = [...this.active.values()];
    for (const { controller } of running) controller.abort(new ProcessStops());
    await Promise.allSettled(running.map(({ end }) => end));
  }

  /** Takes jobs while there are places, in turn by tenant and the oldest of each first. */
  private takeDue(): void {
    const { places } = this.dependencies;
    const due = Map.groupBy(
      [...this.open.jobs.values()].filter((entry) => this.isDue(entry)),
      ({ cause }) => cause.tenantId,
    );
    while (!this.isStopped && this.active.size < places) {
      const held = new Map<string, number>();
      for (const { tenantId } of this.active.values())
        held.set(tenantId, (held.get(tenantId) ?? 0) + 1);
      const wanting = [...due].filter(([, entries]) => entries.length > 0).map(([id]) => id);
      const [tenantId] = this.shares.order(wanting, held, Math.ceil(places / 2));
      const next = tenantId === undefined ? undefined : due.get(tenantId)?.shift();
      if (!next) return;
      this.shares.given(next.cause.tenantId);
      this.take(next);
    }
  }

  private isDue({ roverJobId, started }: OpenRoverEntry): boolean {
    const { leaseMs, clock } = this.dependencies;
    const now = clock.monotonic();
    if (this.active.has(roverJobId) || now < (this.restsUntil.get(roverJobId) ?? 0)) return false;
    return !started || now - (this.seenAt.get(roverJobId) ?? -Infinity) >= leaseMs;
  }

  private take(entry: OpenRoverEntry): void {
    const { clock, logger, runs, work } = this.dependencies;
    const { roverJobId, cause } = entry;
    const { tenantId } = cause;
    const controller = new AbortController();
    const owner = { tenant_id: tenantId, source_id: roverJobId, job_id: roverJobId };
    const leave = runs.enter(owner, controller, clock.now().getTime());
    const end = work(entry, controller)
      .catch((error: unknown) => {
        logger.warn(
          { err: error, rover_job_id: roverJobId },
          'rover: work on a job failed; continuing it later',
        );
        // The job is taken again when its lease is over.
        this.seenAt.set(roverJobId, clock.monotonic() - this.dependencies.leaseMs + RETRY_MS);
      })
      .finally(() => {
        leave();
        this.active.delete(roverJobId);
        if (this.open.jobs.has(roverJobId))
          this.restsUntil.set(roverJobId, clock.monotonic() + RETRY_MS);
        this.takeDue();
      });
    this.active.set(roverJobId, { tenantId, controller, end });
  }

  private async cancel({ roverJobId, cause }: OpenRoverEntry): Promise<void> {
    const { store, clock } = this.dependencies;
    const commandId = uuidv5('cancel-rover', roverJobId);
    const cancelled_at = clock.now().toISOString();
    await handleCommand({
      store,
      clock,
      decider: roverDecider,
      stream: `rover-${roverJobId}`,
      expected: 'existing',
      decide: (state) =>
        isOpenRoverJob(state)
          ? roverDecider.decide({ type: 'CancelRoverJob', data: { cancelled_at } }, state)
          : [],
      context: systemContext(commandId, cause, clock),
    });
  }
}
