import { Injectable } from '@nestjs/common';

import { FootnoteError, type Receipt } from '#contracts';
import {
  CodeNavigation,
  CodeReferences,
  type NavigationOutcome,
  type NavigationRequest,
  type ReferencesEnd,
  type SearchMoment,
  type UsedTable,
} from '#search';

import { isSameEvidence } from '../code-search/code-receipt.js';
import type { TypedRequest } from '../search/receipt/sealed-request.js';
import { SearchConcurrency } from '../search/search-concurrency.js';

/** Time of repeated references, which end where the recorded ones ended. */
const REPLAY_TIMEOUT_MS = 30_000;

/** Repeats requests for symbols, definitions and references. Charges nothing, leaves no receipt. */
@Injectable()
export class NavigationReplays {
  constructor(
    private readonly navigation: CodeNavigation,
    private readonly references: CodeReferences,
    private readonly places: SearchConcurrency,
  ) {}

  /**
   * @param moment the content, policy and clock of the receipt.
   * @throws FootnoteError `receipt_erased` without the typed text.
   */
  async run(
    { code: then }: Pick<Receipt, 'code'>,
    { navigation, references_end: end, tables = [] }: TypedRequest,
    moment: SearchMoment,
  ): Promise<{ readonly outcome: NavigationOutcome; readonly matches: boolean }> {
    if (!navigation || !then)
      throw new FootnoteError('receipt_erased', 'The name of this receipt was erased');
    const outcome = await this.places.run(moment.tenantId, () =>
      this.repeat(navigation, { end, tables }, moment),
    );
    return { outcome, matches: isSameEvidence(then, outcome.evidence) };
  }

  private repeat(
    request: NavigationRequest,
    {
      end,
      tables,
    }: {
      readonly end: ReferencesEnd | undefined;
      readonly tables: readonly UsedTable[];
    },
    moment: SearchMoment,
  ): Promise<NavigationOutcome> {
    if (request.operation !== 'references')
      return this.navigation.run(request, () => moment, { tables, end });
    const recorded = { end: end ?? {}, tables, timeoutMs: REPLAY_TIMEOUT_MS };
    return this.references.run(request, () => moment, { recorded });
  }
}
