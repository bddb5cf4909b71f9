import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

/** Event types that the schedule folds. */
export const SIGNING_TYPES = [
  'TenantCreated',
  'TenantErasureRequested',
  'CheckpointSigned',
] as const satisfies readonly DomainEvent['type'][];

/** The last checkpoint of a tenant. */
export interface LastSigning {
  /** Number of records that it signed; 0 before the first. */
  readonly size: number;
  /** Time of the checkpoint or, before the first, of the tenant's creation; ms since the epoch. */
  readonly at: number;
}

/** Line of a snapshot. */
type SigningLine = readonly [tenantId: string, last: LastSigning];

/** Last checkpoints of the tenants, folded from the log. A tenant that is erased has none. */
export class SigningSchedule {
  private readonly tenants = new Map<string, LastSigning>();

  /** Returns the entries as lines of a snapshot. */
  save(): Iterable<SigningLine> {
    return this.tenants.entries();
  }

  /** Adds a line that {@link save} returned. */
  load([tenantId, last]: SigningLine): void {
    this.tenants.set(tenantId, last);
  }

  clear(): void {
    this.tenants.clear();
  }

  apply({ type, data, metadata }: RecordedDomainEvent): void {
    const { tenant_id: tenantId } = metadata;
    const at = Date.parse(metadata.occurred_at);
    if (type === 'TenantCreated') this.tenants.set(tenantId, { size: 0, at });
    else if (type === 'TenantErasureRequested') this.tenants.delete(tenantId);
    else if (type === 'CheckpointSigned' && this.tenants.has(tenantId))
      this.tenants.set(tenantId, { size: data.size, at });
  }

  /** Returns the last checkpoint of a tenant; undefined for one that is not signed for. */
  lastOf(tenantId: string): LastSigning | undefined {
    return this.tenants.get(tenantId);
  }

  /** Returns tenants whose last checkpoint is not later than a moment. */
  *dueAt(moment: number): Generator<string> {
    for (const [tenantId, { at }] of this.tenants) if (at <= moment) yield tenantId;
  }
}
