import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { DefinitionsView } from '#contracts/http/index';
import { CodeNavigation, type DefinitionsRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import { CodeReceipts } from '../code-search/code-receipts.js';
import type { Receipted } from '../search/receipt/receipts.js';
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
    private readonly receipts: CodeReceipts,
  ) {}

  execute({ caller, request, gone }: FindDefinitions): Promise<Receipted<DefinitionsView>> {
    return this.receipts.metered(
      caller,
      (momentOf) => this.navigation.run(request, momentOf, { gone }),
      receiptableNavigation,
    );
  }
}
