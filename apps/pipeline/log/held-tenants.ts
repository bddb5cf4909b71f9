import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

/** Event types that the holds are folded from. */
export const HOLD_TYPES = [
  'LegalHoldSet',
  'LegalHoldReleased',
] as const satisfies readonly DomainEvent['type'][];

/** Tenants under legal hold, folded from the log: nothing of them is destroyed. */
export class HeldTenants {
  private readonly held = new Set<string>();

  /** Returns the tenant whose hold the event releases, or null. */
  apply(event: RecordedDomainEvent): string | null {
    if (event.type === 'LegalHoldSet') this.held.add(event.data.tenant_id);
    if (event.type !== 'LegalHoldReleased') return null;
    this.held.delete(event.data.tenant_id);
    return event.data.tenant_id;
  }

  has(tenantId: string): boolean {
    return this.held.has(tenantId);
  }

  /** Returns the lines of a snapshot. */
  save(): Iterable<string> {
    return this.held;
  }

  /** Adds a line that {@link save} returned. */
  load(tenantId: string): void {
    this.held.add(tenantId);
  }

  clear(): void {
    this.held.clear();
  }
}
