import { Injectable } from '@nestjs/common';

import type { PackageReleaseFields } from '#contracts/http/index';
import { ofPackage, type SearchMoment } from '#search';

import type { Caller } from '../auth/caller.js';
import { CodeReceipts, type ReceiptableCode } from '../code-search/code-receipts.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { PackageProvider, type ProvidedPackage } from './package-provider.js';
import { type ProvidedView, providedView } from './provided-view.js';

/** An answer about code. */
interface CodeAnswer {
  readonly warnings: readonly string[];
}

/** Runs metered requests about the code of one release, which is indexed first if necessary. */
@Injectable()
export class ReleaseCode {
  constructor(
    private readonly packages: PackageProvider,
    private readonly receipts: CodeReceipts,
  ) {}

  /**
   * Searches one release with quota that is reserved for it.
   * @param search receives the release and a function that returns the present moment.
   * @throws FootnoteError of the package errors in the catalogue, or as the search; nothing is
   * charged then.
   */
  async metered<Outcome extends { readonly answer: CodeAnswer }>(
    caller: Caller,
    release: Readonly<PackageReleaseFields>,
    search: (momentOf: () => SearchMoment, provided: ProvidedPackage) => Promise<Outcome>,
    receiptable: (outcome: Outcome) => ReceiptableCode,
  ): Promise<Receipted<Outcome['answer'] & ProvidedView>> {
    let provided: ProvidedPackage | undefined;
    const indexed = (): ProvidedPackage => {
      if (!provided) throw new Error('A package was examined that nobody resolved');
      return provided;
    };
    const { answer, receiptId, rateLimit } = await this.receipts.metered(
      caller,
      (momentOf) => search(momentOf, indexed()),
      receiptable,
      async () => {
        provided = await this.packages.requested(caller, release);
        return ofPackage(provided.packageId);
      },
    );
    const view = providedView(indexed());
    const warnings = [...view.warnings, ...answer.warnings];
    return { answer: { ...answer, ...view, warnings }, receiptId, rateLimit };
  }
}
