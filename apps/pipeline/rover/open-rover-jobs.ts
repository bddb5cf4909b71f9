import { type DomainEvent, ROVER_EVENT_TYPES } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

import { causeOf } from '../dispatcher/source-entry.js';
import type { Cause } from '../log/commands.js';
import type { DueReturn } from './return-charge.js';

/** The event types that {@link OpenRoverJobs} folds. */
export const OPEN_ROVER_TYPES = [
  ...ROVER_EVENT_TYPES,
  'QuotaReturned',
  'TenantErasureRequested',
] as const satisfies readonly DomainEvent['type'][];

/** A job that has not ended. */
export interface OpenRoverEntry {
  readonly roverJobId: string;
  readonly cause: Cause;
  readonly consumptionId: string | null;
  /** True while a worker may have the lease. */
  readonly started: boolean;
  /** Blobs with outputs of its steps. */
  readonly blobs: readonly string[];
}

/** Line of a snapshot. */
type OpenRoverLine =
  readonly ['job', OpenRoverEntry] | readonly ['return', DueReturn] | readonly ['erased', string];

/** Open rover jobs and charges to return, folded from the log into memory. */
export class OpenRoverJobs {
  readonly jobs = new Map<string, OpenRoverEntry>();
  /** Charges of failed jobs that were not returned yet, by consumption. */
  readonly returns = new Map<string, DueReturn>();
  /** Tenants that are being erased. */
  readonly erased = new Set<string>();

  *save(): Generator<OpenRoverLine> {
    for (const entry of this.jobs.values()) yield ['job', entry];
    for (const due of this.returns.values()) yield ['return', due];
    for (const tenantId of this.erased) yield ['erased', tenantId];
  }

  load(line: OpenRoverLine): void {
    if (line[0] === 'job') this.jobs.set(line[1].roverJobId, line[1]);
    else if (line[0] === 'return') this.returns.set(line[1].consumptionId, line[1]);
    else this.erased.add(line[1]);
  }

  clear(): void {
    for (const folded of [this.jobs, this.returns, this.erased]) folded.clear();
  }

  apply(event: RecordedDomainEvent): void {
    switch (event.type) {
      case 'RoverJobRequested': {
        const { rover_job_id: roverJobId, consumption_id: consumptionId = null } = event.data;
        const cause = causeOf(event);
        const entry = { roverJobId, cause, consumptionId, started: false, blobs: [] };
        this.jobs.set(roverJobId, entry);
        return;
      }
      case 'RoverStepStarted':
        return this.change(event.data.rover_job_id, () => ({ started: true }));
      case 'RoverLeaseReleased':
        return this.change(event.data.rover_job_id, () => ({ started: false }));
      case 'RoverStepCompleted': {
        const { rover_job_id, output } = event.data;
        if (output === null || !('blob' in output)) return;
        const { blob } = output;
        return this.change(rover_job_id, ({ blobs }) => ({ blobs: [...blobs, blob] }));
      }
      case 'RoverJobFailed':
        return this.failed(event.data.rover_job_id);
      case 'RoverJobCompleted':
      case 'RoverJobCancelled':
        this.jobs.delete(event.data.rover_job_id);
        return;
      case 'QuotaReturned':
        this.returns.delete(event.data.consumption_id);
        return;
      case 'TenantErasureRequested':
        this.erased.add(event.metadata.tenant_id);
        return;
      default:
        return;
    }
  }

  private failed(roverJobId: string): void {
    const entry = this.jobs.get(roverJobId);
    this.jobs.delete(roverJobId);
    if (!entry || entry.consumptionId === null) return;
    const { consumptionId } = entry;
    const { tenantId, correlationId } = entry.cause;
    this.returns.set(consumptionId, { tenantId, consumptionId, correlationId });
  }

  private change(
    roverJobId: string,
    changes: (entry: OpenRoverEntry) => Partial<OpenRoverEntry>,
  ): void {
    const entry = this.jobs.get(roverJobId);
    if (entry) this.jobs.set(roverJobId, { ...entry, ...changes(entry) });
  }
}
