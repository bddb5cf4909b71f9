import { FootnoteError } from '#contracts';

export interface TenantConcurrencyOptions {
  /** That one tenant may hold. */
  readonly perTenant: number;
  /** That all tenants together may hold. */
  readonly inAll: number;
  /** Error text when no slot is free. */
  readonly refusal: string;
}

/** Counts what lasts, in this process, so that no tenant takes all connections. */
export class TenantConcurrency {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(private readonly options: TenantConcurrencyOptions) {}

  /**
   * @returns a function that gives the slot back. @throws FootnoteError `rate_limited` when there
   * is none left.
   */
  take(tenantId: string): () => void {
    const { perTenant, inAll, refusal } = this.options;
    const own = this.held.get(tenantId) ?? 0;
    if (own >= perTenant || this.total >= inAll) {
      throw new FootnoteError('rate_limited', refusal, { retryAfter: 15 });
    }
    this.held.set(tenantId, own + 1);
    this.total += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.total -= 1;
      const left = (this.held.get(tenantId) ?? 1) - 1;
      if (left === 0) this.held.delete(tenantId);
      else this.held.set(tenantId, left);
    };
  }
}
