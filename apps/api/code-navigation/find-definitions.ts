import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { DefinitionsView } from '#contracts/http/index';
import { CodeNavigation, type DefinitionsRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import { CodeReceipts } from '../code-search/code-receipts.js';
import { PresentMoment } from '../search/present-moment.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { SearchConcurrency } from '../search/search-concurrency.js';
import { Handles } from '../use-cases/handles.js';
import { receiptableNavigation } from './navigation-receipt.js';

/**
 * Finds symbols or definitions in the caller's live sources; charged as one search and receipted
 * before it is answered.
 */
export class FindDefinitions extends Query<Receipted<DefinitionsView>> {
  constructor(
    readonly caller: Caller,
    readonly request: DefinitionsRequest,
    readonly gone?: AbortSignal,
  ) {
    super();
  }
}

@Handles(FindDefinitions)
export class FindDefinitionsHandler implements IQueryHandler<FindDefinitions> {
  constructor(
    private readonly navigation: CodeNavigation,
    private readonly present: PresentMoment,
    private readonly receipts: CodeReceipts,
    private readonly places: SearchConcurrency,
  ) {}

  execute({ caller, request, gone }: FindDefinitions): Promise<Receipted<DefinitionsView>> {
    const { tenantId } = caller;
    const find = () => this.navigation.run(request, () => this.present.of(tenantId), gone);
    return this.receipts.metered(caller, async () => {
      const outcome = await this.places.run(tenantId, find);
      return { ...receiptableNavigation(outcome), answer: outcome.answer };
    });
  }
}
