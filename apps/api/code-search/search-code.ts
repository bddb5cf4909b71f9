import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { CodeSearchResponseView } from '#contracts/http/index';
import { CodeSearch, type CodeSearchLimits, type CodeSearchRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import type { Receipted } from '../search/receipt/receipts.js';
import { Handles } from '../use-cases/handles.js';
import { receiptableSearch } from './code-receipt.js';
import { CodeReceipts } from './code-receipts.js';

/**
 * Searches the text of the caller's live sources exactly or by a regular expression; charged as one
 * search and receipted before it is answered.
 */
export class SearchCode extends Query<Receipted<CodeSearchResponseView>> {
  constructor(
    readonly caller: Caller,
    readonly request: CodeSearchRequest,
    readonly limits: Omit<CodeSearchLimits, 'recorded'> = {},
  ) {
    super();
  }
}

@Handles(SearchCode)
export class SearchCodeHandler implements IQueryHandler<SearchCode> {
  constructor(
    private readonly searches: CodeSearch,
    private readonly receipts: CodeReceipts,
  ) {}

  execute({ caller, request, limits }: SearchCode): Promise<Receipted<CodeSearchResponseView>> {
    return this.receipts.metered(
      caller,
      (momentOf) => this.searches.run(request, momentOf, limits),
      receiptableSearch,
    );
  }
}
