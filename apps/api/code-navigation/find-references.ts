import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ReferencesView } from '#contracts/http/index';
import { CodeReferences, type ReferencesRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import { CodeReceipts } from '../code-search/code-receipts.js';
import { PresentMoment } from '../search/present-moment.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { SearchConcurrency } from '../search/search-concurrency.js';
import { Handles } from '../use-cases/handles.js';
import { receiptableNavigation } from './navigation-receipt.js';

/**
 * Finds references in the caller's live sources; charged as one search and receipted before it is
 * answered.
 */
export class FindReferences extends Query<Receipted<ReferencesView>> {
  constructor(
    readonly caller: Caller,
    readonly request: ReferencesRequest,
    readonly gone?: AbortSignal,
  ) {
    super();
  }
}

@Handles(FindReferences)
export class FindReferencesHandler implements IQueryHandler<FindReferences> {
  constructor(
    private readonly references: CodeReferences,
    private readonly present: PresentMoment,
    private readonly receipts: CodeReceipts,
    private readonly places: SearchConcurrency,
  ) {}

  execute({ caller, request, gone }: FindReferences): Promise<Receipted<ReferencesView>> {
    const { tenantId } = caller;
    const find = () => this.references.run(request, () => this.present.of(tenantId), { gone });
    return this.receipts.metered(caller, async () => {
      const outcome = await this.places.run(tenantId, find);
      return { ...receiptableNavigation(outcome), answer: outcome.answer };
    });
  }
}
