import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { CodeNavigation, type NavigationOutcome, type NavigationRequest } from '#search';

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
export class NavigateCode extends Query<Receipted<NavigationOutcome['answer']>> {
  constructor(
    readonly caller: Caller,
    readonly request: NavigationRequest,
  ) {
    super();
  }
}

@Handles(NavigateCode)
export class NavigateCodeHandler implements IQueryHandler<NavigateCode> {
  constructor(
    private readonly navigation: CodeNavigation,
    private readonly present: PresentMoment,
    private readonly receipts: CodeReceipts,
    private readonly places: SearchConcurrency,
  ) {}

  execute({ caller, request }: NavigateCode): Promise<Receipted<NavigationOutcome['answer']>> {
    const { tenantId } = caller;
    const find = () => this.navigation.run(request, () => this.present.of(tenantId));
    return this.receipts.metered(caller, async () =>
      receiptableNavigation(await this.places.run(tenantId, find)),
    );
  }
}
