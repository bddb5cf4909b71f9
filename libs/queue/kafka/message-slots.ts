import { FairShares } from '../fair-shares.js';

/** Lends a number of slots: first come, first served, or by tenant with a maximum per tenant. */
export class MessageSlots {
  private readonly queue: { readonly tenant: string; readonly enter: () => void }[] = [];
  private readonly held = new Map<string, number>();
  private readonly shares = new FairShares();
  private taken = 0;

  constructor(
    private readonly slots: number,
    /** Maximum for one tenant; null: first come, first served. */
    private readonly mostOfTenant: number | null = null,
  ) {}

  /** Runs `work` when a slot is free. */
  async run<Result>(work: () => Promise<Result>, tenant = ''): Promise<Result> {
    await new Promise<void>((resolve) => {
      this.queue.push({ tenant, enter: resolve });
      this.admit();
    });
    try {
      return await work();
    } finally {
      this.taken -= 1;
      const left = (this.held.get(tenant) ?? 0) - 1;
      if (left > 0) this.held.set(tenant, left);
      else this.held.delete(tenant);
      this.admit();
    }
  }

  private admit(): void {
    while (this.taken < this.slots) {
      const at = this.next();
      const [entry] = at === -1 ? [] : this.queue.splice(at, 1);
      if (!entry) return;
      this.taken += 1;
      this.held.set(entry.tenant, (this.held.get(entry.tenant) ?? 0) + 1);
      this.shares.given(entry.tenant);
      entry.enter();
    }
  }

  /** Returns the index of the next waiting entry; -1 if none may start. */
  private next(): number {
    if (this.mostOfTenant === null) return this.queue.length === 0 ? -1 : 0;
    const wanting = new Set(this.queue.map(({ tenant }) => tenant));
    const [turn] = this.shares.order(wanting, this.held, this.mostOfTenant);
    return this.queue.findIndex(({ tenant }) => tenant === turn);
  }
}
