import { PUBLIC_TENANT } from '#contracts';

/**
 * Divides places among the tenants that want them: none has more than half, and a free one goes to the tenant that holds the
 * fewest, among equals to the one that got its last the longest ago. Packages, which requests wait for, come before all of
 * them, and leave them the other half.
 */
export class FairShares {
  private turns = 0;
  private readonly lastTurn = new Map<string, number>();

  /**
   * @param wanting tenants that wait.
   * @param held places of every tenant that holds some.
   * @param places there are in all.
   * @returns the tenants whose turn it is, in order; those that hold their half are not among them.
   */
  order(wanting: Iterable<string>, held: ReadonlyMap<string, number>, places: number): readonly string[] {
    const most = mostOf(places);
    // The only place there is goes round: nobody could have the other half.
    const urgent = (tenant: string) => (places > 1 && tenant === PUBLIC_TENANT ? 1 : 0);
    const holds = (tenant: string) => held.get(tenant) ?? 0;
    return [...wanting]
      .filter((tenant) => holds(tenant) < most)
      .sort((a, b) => urgent(b) - urgent(a) || holds(a) - holds(b) || this.turnOf(a) - this.turnOf(b));
  }

  /** To be called when a tenant was given a place. */
  given(tenant: string): void {
    // Whoever came to its turn the longest ago is as if it never had: that is where it stands anyway.
    if (this.lastTurn.size >= MOST_REMEMBERED) this.forgetOldest();
    this.turns += 1;
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

/** Places that one tenant may hold: half of them, and the one there is. */
export function mostOf(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}

/** Whose message it is: the `tenant_id` of its body; messages without one share a name. */
export function tenantOf(body: unknown): string {
  const tenant: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'tenant_id') : undefined;
  return typeof tenant === 'string' ? tenant : '';
}
