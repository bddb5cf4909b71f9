import { Injectable } from '@nestjs/common';

import { FootnoteError, type Receipt } from '#contracts';
import { CodeNavigation, type NavigationOutcome, type SearchMoment } from '#search';

import { isSameEvidence } from '../code-search/code-receipt.js';
import type { TypedRequest } from '../search/receipt/sealed-request.js';
import { SearchConcurrency } from '../search/search-concurrency.js';

/** Repeats requests for symbols and definitions. Charges nothing and leaves no receipt. */
@Injectable()
export class NavigationReplays {
  constructor(
    private readonly navigation: CodeNavigation,
    private readonly places: SearchConcurrency,
  ) {}

  /**
   * @param moment the content, policy and clock of the receipt.
   * @throws FootnoteError `receipt_erased` without the typed text.
   */
  async run(
    { code: then }: Pick<Receipt, 'code'>,
    { navigation }: TypedRequest,
    moment: SearchMoment,
  ): Promise<{ readonly outcome: NavigationOutcome; readonly matches: boolean }> {
    if (!navigation || !then)
      throw new FootnoteError('receipt_erased', 'The name of this receipt was erased');
    const outcome = await this.places.run(moment.tenantId, () =>
      this.navigation.run(navigation, () => moment),
    );
    return { outcome, matches: isSameEvidence(then, outcome.evidence) };
  }
}
