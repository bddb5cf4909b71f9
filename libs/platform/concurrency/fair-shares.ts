import { PUBLIC_TENANT } from '#contracts';

/**
 * Divides places among the tenants that want them: none has more than its most, and a free one goes
 * to the tenant that holds the fewest, among equals to the one that got its last the longest ago.
 * Packages, which requests wait for, come before all of them while they hold less than their most;
 * where nobody holds anything they do so every other time, for there may be one place alone.
 */
export class FairShares {
  private turns = 0;
  /** Who was given a place last. */
  private last: string | undefined;
  private readonly lastTurn = new Map<string, number>();

  /**
   * @param wanting tenants that wait.
   * @param held places of every tenant that holds some.
   * @param most that one tenant may hold.
   * @returns the tenants whose turn it is, in order; those that hold their most are not among them.
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

  /** To be called when a tenant was given a place. */
  given(tenant: string): void {
    // Whoever came to its turn the longest ago is as if it never had: that is where it stands
    // anyway.
    if (this.lastTurn.size >= MOST_REMEMBERED) this.forgetOldest();
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

const MOST_REMEMBERED = 10_000;

/**
 * Places that one tenant may hold where nobody says how many: half of them, and the one there is.
 */
export function mostOf(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}
