import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { NoEvidence } from '#contracts';
import {
  type PackageSearchBody,
  type PackageSearchResponseView,
  SearchBody,
} from '#contracts/http/index';
import { CLOCK, type Clock } from '#platform';
import { HybridSearch, ofPackage, rerankWarnings, type SearchEvidence } from '#search';

import type { Caller } from '../auth/caller.js';
import { PresentMoment } from '../search/present-moment.js';
import { type Receipted, Receipts } from '../search/receipt/receipts.js';
import { Handles } from '../use-cases/handles.js';
import { PackageProvider, type ProvidedPackage } from './package-provider.js';
import { providedView } from './provided-view.js';

/** No budget is asked for: fifty chunks never come near it. */
const MAX_TOKENS = 32_000;

/**
 * Searches one release of a package, which is indexed first where it is not yet; charged and
 * receipted as a search.
 */
export class SearchPackage extends Query<Receipted<PackageSearchResponseView | NoEvidence>> {
  constructor(
    readonly caller: Caller,
    readonly request: Readonly<PackageSearchBody>,
  ) {
    super();
  }
}

@Handles(SearchPackage)
export class SearchPackageHandler implements IQueryHandler<SearchPackage> {
  constructor(
    private readonly packages: PackageProvider,
    private readonly searches: HybridSearch,
    private readonly present: PresentMoment,
    private readonly receipts: Receipts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws FootnoteError of the package errors in the catalogue; nothing is charged then. */
  async execute({
    caller,
    request,
  }: SearchPackage): Promise<Receipted<PackageSearchResponseView | NoEvidence>> {
    const began = this.clock.monotonic();
    const { query, top_k } = request;
    let found: ProvidedPackage | undefined;
    let reranker: SearchEvidence['reranker'];
    const search = async (onEvidence: (evidence: SearchEvidence) => void) => {
      const { packageId } = (found = await this.packages.requested(caller, request));
      const asked = Object.assign(new SearchBody(), { query, top_k, max_tokens: MAX_TOKENS });
      const momentOf = () => this.present.of(caller.tenantId, ofPackage(packageId));
      const outcome = await this.searches.run(asked, momentOf, { onEvidence });
      reranker = outcome.reranker;
      return outcome;
    };
    const { answer, receiptId, rateLimit } = await this.receipts.metered(caller, search);
    if (!found) throw new Error('A package was searched that nobody resolved');
    const view = providedView(found);
    if (!('results' in answer)) return { answer, receiptId, rateLimit };
    const results = answer.results.map(({ content, score, token_count, citation }) => ({
      content,
      score,
      token_count,
      citation,
    }));
    const warnings = [...view.warnings, ...rerankWarnings(reranker)];
    const shown: PackageSearchResponseView = {
      query,
      package: view.package,
      results,
      total_results: results.length,
      cached: view.cached,
      search_time_ms: Math.round((this.clock.monotonic() - began) * 1_000) / 1_000,
      ...(warnings.length > 0 && { warnings }),
    };
    return { answer: shown, receiptId, rateLimit };
  }
}
