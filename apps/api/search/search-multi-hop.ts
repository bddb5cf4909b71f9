import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { MultiHopResponse, NoEvidence } from '#contracts';
import { type MultiHopRequest, MultiHopSearch } from '#search';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { PresentMoment } from './present-moment.js';
import { type Receipted, Receipts } from './receipt/receipts.js';
import { SearchConcurrency } from './search-concurrency.js';

/**
 * Searches as `Search` does, then follows what the best hits name and shows what is next to
 * them.
 */
export class SearchMultiHop extends Query<Receipted<MultiHopResponse | NoEvidence>> {
  constructor(
    readonly caller: Caller,
    readonly request: MultiHopRequest,
  ) {
    super();
  }
}

@Handles(SearchMultiHop)
export class SearchMultiHopHandler implements IQueryHandler<SearchMultiHop> {
  constructor(
    private readonly searches: MultiHopSearch,
    private readonly present: PresentMoment,
    private readonly receipts: Receipts,
    private readonly places: SearchConcurrency,
  ) {}

  async execute({
    caller,
    request,
  }: SearchMultiHop): Promise<Receipted<MultiHopResponse | NoEvidence>> {
    const search = () => this.searches.run(request, () => this.present.of(caller.tenantId));
    return this.receipts.metered(caller, () => this.places.run(caller.tenantId, search));
  }
}
