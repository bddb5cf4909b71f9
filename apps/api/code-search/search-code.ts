import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { CodeSearchResponseView } from '#contracts/http/index';
import { CodeSearch, type CodeSearchRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import { PresentMoment } from '../search/present-moment.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { SearchConcurrency } from '../search/search-concurrency.js';
import { Handles } from '../use-cases/handles.js';
import { openCodeReceipt, typedCodeRequest } from './code-receipt.js';
import { CodeReceipts } from './code-receipts.js';

/**
 * Searches the text of the caller's live sources exactly or by a regular expression; charged as one
 * search and receipted before it is answered.
 */
export class SearchCode extends Query<Receipted<CodeSearchResponseView>> {
  constructor(
    readonly caller: Caller,
    readonly request: CodeSearchRequest,
    readonly gone?: AbortSignal,
  ) {
    super();
  }
}

@Handles(SearchCode)
export class SearchCodeHandler implements IQueryHandler<SearchCode> {
  constructor(
    private readonly searches: CodeSearch,
    private readonly present: PresentMoment,
    private readonly receipts: CodeReceipts,
    private readonly places: SearchConcurrency,
  ) {}

  execute({ caller, request, gone }: SearchCode): Promise<Receipted<CodeSearchResponseView>> {
    const { tenantId } = caller;
    const search = () => this.searches.run(request, () => this.present.of(tenantId), { gone });
    return this.receipts.metered(caller, async () => {
      const outcome = await this.places.run(tenantId, search);
      const receipt = openCodeReceipt(outcome);
      return { ...outcome, receipt, typed: typedCodeRequest(outcome.request) };
    });
  }
}
