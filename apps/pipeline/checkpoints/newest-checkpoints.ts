import type { AuditCheckpointEvent, DomainEvent } from '#contracts';
import { auditCheckpointDecider, type AuditCheckpointState } from '#domain';
import type { RecordedDomainEvent } from '#event-store';

/** Event types that are folded. */
export const NEWEST_TYPES = [
  'CheckpointSigned',
  'CheckpointCosigned',
  'CheckpointRefused',
  'CheckpointCopied',
  'TenantErasureRequested',
] as const satisfies readonly DomainEvent['type'][];

/** Line of a snapshot. */
type NewestLine = readonly [tenantId: string, state: AuditCheckpointState];

/**
 * Newest checkpoint of each tenant with the answers to it, folded from the log. Keys are left out:
 * nothing is signed from here. An erased tenant has none.
 */
export class NewestCheckpoints {
  private readonly tenants = new Map<string, AuditCheckpointState>();

  /** Returns the entries as lines of a snapshot. */
  save(): Iterable<NewestLine> {
    return this.tenants.entries();
  }

  /** Adds a line that {@link save} returned. */
  load([tenantId, state]: NewestLine): void {
    this.tenants.set(tenantId, state);
  }

  clear(): void {
    this.tenants.clear();
  }

  apply(event: RecordedDomainEvent): void {
    const { tenant_id: tenantId } = event.metadata;
    if (event.type === 'TenantErasureRequested') return void this.tenants.delete(tenantId);
    const state = this.tenants.get(tenantId) ?? auditCheckpointDecider.initial;
    const checkpoint = event as RecordedDomainEvent & AuditCheckpointEvent;
    this.tenants.set(tenantId, auditCheckpointDecider.evolve(state, checkpoint, event.revision));
  }

  /** Returns the states by tenant. */
  entries(): Iterable<readonly [string, AuditCheckpointState]> {
    return this.tenants.entries();
  }
}
