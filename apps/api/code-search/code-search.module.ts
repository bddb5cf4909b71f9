import { type FactoryProvider, Module } from '@nestjs/common';

import { CLOCK, type Clock } from '#platform';
import { CodeSearch, HybridSearch } from '#search';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import { QuotaLedgerModule } from '../quota/quota.module.js';
import { SearchModule } from '../search/search.module.js';
import { CodeReceipts } from './code-receipts.js';
import { CodeReplays } from './code-replays.js';
import { CodeSearchController } from './code-search.controller.js';
import { MatchPool } from './match-pool.js';
import { SearchCodeHandler } from './search-code.js';

const codeSearch: FactoryProvider<CodeSearch> = {
  provide: CodeSearch,
  inject: [SEARCH_INDEX, MatchPool, HybridSearch, CLOCK],
  useFactory: (index: SearchIndex, { threads }: MatchPool, searches: HybridSearch, clock: Clock) =>
    new CodeSearch(index, threads, searches, clock),
};

/** `/search/code`, and repeats of code searches for receipts. */
@Module({
  imports: [QuotaLedgerModule, SearchModule],
  controllers: [CodeSearchController],
  providers: [MatchPool, codeSearch, CodeReceipts, CodeReplays, SearchCodeHandler],
  exports: [CodeReceipts, CodeReplays],
})
export class CodeSearchModule {}
