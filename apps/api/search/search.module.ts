import { type FactoryProvider, Module } from '@nestjs/common';

import {
  EMBEDDER,
  type Embedder,
  RERANKER,
  type Reranker,
  SENTENCE_ENCODER,
  type SentenceEncoder,
} from '#models';
import { CLOCK, type Clock, type Config } from '#platform';
import { createSearches, HybridSearch, MultiHopSearch, QueryModels, type Searches } from '#search';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import { CONFIG } from '../engines/engines.js';
import { HistoryModule } from '../history/history.module.js';
import { KnownLinksModule } from '../package-links/package-links.module.js';
import { KnownPoliciesModule } from '../policy/policy.module.js';
import { QuotaLedgerModule } from '../quota/quota.module.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { AsOfMoments } from './as-of-moments.js';
import { PastMoment } from './past-moment.js';
import { PresentMoment } from './present-moment.js';
import { Receipts } from './receipt/receipts.js';
import { SearchController } from './search.controller.js';
import { SearchHandler } from './search.js';
import { SearchConcurrency } from './search-concurrency.js';
import { SearchMultiHopHandler } from './search-multi-hop.js';

const SEARCHES = Symbol('Searches');

const searches: FactoryProvider<Searches> = {
  provide: SEARCHES,
  inject: [SEARCH_INDEX, EMBEDDER, ContentGaps, CLOCK, CONFIG, SENTENCE_ENCODER, RERANKER],
  useFactory: (
    index: SearchIndex,
    embedder: Embedder,
    missingContent: ContentGaps,
    clock: Clock,
    config: Config,
    encoder: SentenceEncoder | null,
    reranker: Reranker | null,
  ) => createSearches({ index, embedder, missingContent, clock, config, encoder, reranker }),
};

/** Provides `/search`, and search for services that replay one. */
@Module({
  imports: [
    HistoryModule,
    KnownLinksModule,
    KnownPoliciesModule,
    LiveSourcesModule,
    QuotaLedgerModule,
    WriteModule,
  ],
  controllers: [SearchController],
  providers: [
    PresentMoment,
    PastMoment,
    AsOfMoments,
    searches,
    { provide: QueryModels, inject: [SEARCHES], useFactory: ({ models }: Searches) => models },
    { provide: HybridSearch, inject: [SEARCHES], useFactory: ({ hybrid }: Searches) => hybrid },
    {
      provide: MultiHopSearch,
      inject: [SEARCHES],
      useFactory: ({ multiHop }: Searches) => multiHop,
    },
    Receipts,
    SearchConcurrency,
    SearchHandler,
    SearchMultiHopHandler,
  ],
  exports: [
    PastMoment,
    PresentMoment,
    QueryModels,
    HybridSearch,
    MultiHopSearch,
    Receipts,
    SearchConcurrency,
  ],
})
export class SearchModule {}
