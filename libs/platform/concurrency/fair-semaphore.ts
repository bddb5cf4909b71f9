import { FairShares } from './fair-shares.js';

export interface FairSemaphoreOptions {
  /** Number of pieces of work that run at once. */
  readonly places: number;
  /** Slots that one tenant may hold. Default: all. */
  readonly mostOfTenant?: number;
  /**
   * Additional slots for tenants that hold none. So one tenant may use every slot, and another one
   * does not wait for the end of its work. Default 0.
   */
  readonly spare?: number;
}

interface Waiting {
  enter(): void;
}

/**
 * Limits the pieces of work that run at once. Waiting ones get a slot in turns of their tenants
 * (`FairShares`).
 */
export class FairSemaphore {
  private readonly shares = new FairShares();
  private readonly held = new Map<string, number>();
  private readonly waiting = new Map<string, Set<Waiting>>();
  private running = 0;

  constructor(private readonly options: FairSemaphoreOptions) {}

  /** @throws the signal's reason if it aborts while the work waits; the error of the work. */
  async run<T>(tenant: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.turn(tenant, signal);
    try {
      return await work();
    } finally {
      this.running -= 1;
      const left = (this.held.get(tenant) ?? 1) - 1;
      if (left > 0) this.held.set(tenant, left);
      else this.held.delete(tenant);
      this.admit();
    }
  }

  /** True if work that arrives now runs at once, and takes the turn of nobody. */
  get isFree(): boolean {
    return this.waiting.size === 0 && this.running < this.options.places;
  }

  private turn(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.remove(tenant, entry);
        reject(signal?.reason as Error);
      };
      const entry: Waiting = {
        enter: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const line = this.waiting.get(tenant) ?? new Set();
      this.waiting.set(tenant, line.add(entry));
      this.admit();
    });
  }

  /** A slot is taken before its holder runs, so that nobody else takes it. */
  private admit(): void {
    for (let tenant = this.next(); tenant !== undefined; tenant = this.next()) {
      const [entry] = this.waiting.get(tenant) ?? [];
      if (!entry) return;
      this.remove(tenant, entry);
      this.running += 1;
      this.held.set(tenant, (this.held.get(tenant) ?? 0) + 1);
      this.shares.given(tenant);
      entry.enter();
    }
  }

  /** Returns the tenant whose turn it is; undefined if none may start. */
  private next(): string | undefined {
    const { places, spare = 0, mostOfTenant = Infinity } = this.options;
    if (this.waiting.size === 0 || this.running >= places + spare) return undefined;
    const order = this.shares.order(this.waiting.keys(), this.held, mostOfTenant);
    return this.running < places ? order[0] : order.find((tenant) => !this.held.has(tenant));
  }

  private remove(tenant: string, entry: Waiting): void {
    const line = this.waiting.get(tenant);
    line?.delete(entry);
    if (line?.size === 0) this.waiting.delete(tenant);
  }
}
