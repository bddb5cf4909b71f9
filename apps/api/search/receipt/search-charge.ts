import type { SearchEvidence } from '#search';

import type { Charged } from '../../quota/quota-ledger.js';

/** Evidence that is charged, and its charge. */
interface BegunCharge {
  readonly evidence: SearchEvidence;
  readonly charged: Promise<Charged>;
}

/** Access to the quota of one search. */
export interface SearchAccount {
  /** Stores the receipt of evidence with its charge. */
  charge(evidence: SearchEvidence): Promise<Charged>;
  /** Returns a stored charge; does not fail. */
  giveBack(consumptionId: string): Promise<void>;
}

/**
 * The charge of one search. It may begin before the texts of the results are read. A charge whose
 * evidence is not the one of the answer is returned, so an answer has one charge and a failed
 * search has none.
 */
export class SearchCharge {
  private begun: BegunCharge | undefined;

  constructor(private readonly account: SearchAccount) {}

  /** Begins to charge evidence. A charge that began before is returned first. */
  begin(evidence: SearchEvidence): void {
    const { begun } = this;
    const charged = begun
      ? this.returned(begun).then(() => this.account.charge(evidence))
      : this.account.charge(evidence);
    // Nobody waits for it while the search runs; `settle` reports its failure.
    charged.catch(() => undefined);
    this.begun = { evidence, charged };
  }

  /**
   * Resolves when the charge of an outcome is stored: the one that began with its scores, or
   * another one.
   * @throws as {@link SearchAccount.charge}.
   */
  async settle(outcome: SearchEvidence): Promise<Charged> {
    const { begun } = this;
    if (begun?.evidence.scores === outcome.scores) return begun.charged;
    await this.cancel();
    return this.account.charge(outcome);
  }

  /** Returns what began to be charged: the search failed. */
  async cancel(): Promise<void> {
    const { begun } = this;
    this.begun = undefined;
    if (begun) await this.returned(begun);
  }

  private async returned({ charged }: BegunCharge): Promise<void> {
    const stored = await charged.catch(() => undefined);
    if (stored) await this.account.giveBack(stored.id);
  }
}
