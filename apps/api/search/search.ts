import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { NoEvidence, SearchResponse } from '#contracts';
import { HybridSearch, type SearchRequest } from '#search';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { AsOfMoments } from './as-of-moments.js';
import { PresentMoment } from './present-moment.js';
import { type Receipted, Receipts } from './receipt/receipts.js';
import { SearchConcurrency } from './search-concurrency.js';

/**
 * Searches the live sources of the caller's tenant under its policy; charged and receipted before
 * it is answered.
 */
export class Search extends Query<Receipted<SearchResponse | NoEvidence>> {
  constructor(
    readonly caller: Caller,
    readonly request: SearchRequest,
  ) {
    super();
  }
}

@Handles(Search)
export class SearchHandler implements IQueryHandler<Search> {
  constructor(
    private readonly searches: HybridSearch,
    private readonly present: PresentMoment,
    private readonly past: AsOfMoments,
    private readonly receipts: Receipts,
    private readonly places: SearchConcurrency,
  ) {}

  async execute({ caller, request }: Search): Promise<Receipted<SearchResponse | NoEvidence>> {
    const { tenantId } = caller;
    const then = await this.past.of(tenantId, request);
    const momentOf = () => then ?? this.present.of(tenantId);
    const receipted = await this.receipts.metered(caller, (onEvidence) =>
      this.places.run(tenantId, () => this.searches.run(request, momentOf, { onEvidence })),
    );
    return then ? { ...receipted, moment: { seq: then.asOfSeq ?? null } } : receipted;
  }
}
