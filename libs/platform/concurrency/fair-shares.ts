import { PUBLIC_TENANT } from '#contracts';

/**
 * Divides slots among tenants that wait. No tenant gets more than its maximum. A free slot goes to
 * the tenant that holds the fewest, among equals to the one with the oldest last turn. Packages,
 * which requests wait for, come first while they hold less than their maximum. If nobody holds a
 * slot, they come first only every other time, because there may be a single slot.
 */
export class FairShares {
  private turns = 0;
  /** The tenant of the last turn. */
  private last: string | undefined;
  private readonly lastTurn = new Map<string, number>();

  /**
   * Returns the tenants whose turn it is, in order, without those that hold their maximum.
   * @param wanting tenants that wait.
   * @param held slots of every tenant that holds some.
   * @param most maximum for one tenant.
   */
  order(
    wanting: Iterable<string>,
    held: ReadonlyMap<string, number>,
    most: number,
  ): readonly string[] {
    const isHeld = held.size > 0;
    const urgent = (tenant: string) =>
      tenant === PUBLIC_TENANT && (isHeld || this.last !== PUBLIC_TENANT) ? 1 : 0;
    const holds = (tenant: string) => held.get(tenant) ?? 0;
    return [...wanting]
      .filter((tenant) => holds(tenant) < most)
      .sort(
        (a, b) => urgent(b) - urgent(a) || holds(a) - holds(b) || this.turnOf(a) - this.turnOf(b),
      );
  }

  /** Records that a tenant got a slot. */
  given(tenant: string): void {
    // A tenant with the oldest turn can be forgotten: without a turn it is first in order too.
    if (this.lastTurn.size >= MAX_REMEMBERED) this.forgetOldest();
    this.turns += 1;
    this.last = tenant;
    this.lastTurn.delete(tenant);
    this.lastTurn.set(tenant, this.turns);
  }

  private turnOf(tenant: string): number {
    return this.lastTurn.get(tenant) ?? 0;
  }

  private forgetOldest(): void {
    for (const oldest of this.lastTurn.keys()) return void this.lastTurn.delete(oldest);
  }
}

const MAX_REMEMBERED = 10_000;

/** Returns the default maximum of one tenant: half of the slots, at least one. */
export function mostOf(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}
