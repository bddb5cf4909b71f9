import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ReferencesView } from '#contracts/http/index';
import { CodeReferences, type ReferencesRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import { CodeReceipts } from '../code-search/code-receipts.js';
import type { Receipted } from '../search/receipt/receipts.js';
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
    private readonly receipts: CodeReceipts,
  ) {}

  execute({ caller, request, gone }: FindReferences): Promise<Receipted<ReferencesView>> {
    return this.receipts.metered(
      caller,
      (momentOf) => this.references.run(request, momentOf, { gone }),
      receiptableNavigation,
    );
  }
}
