import { type FactoryProvider, Module } from '@nestjs/common';

import { CLOCK, type Clock } from '#platform';
import { CodeSearch, HybridSearch } from '#search';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import { QuotaLedgerModule } from '../quota/quota.module.js';
import { SearchModule } from '../search/search.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { CodeReceipts } from './code-receipts.js';
import { CodeReplays } from './code-replays.js';
import { CodeSearchController } from './code-search.controller.js';
import { CodeSearchForms } from './code-search-forms.js';
import { CodeSearchStream } from './code-search-stream.js';
import { CodeTextStream } from './code-text-stream.js';
import { CodeThreadPool } from './code-thread-pool.js';
import { ManifestLeftOutFiles } from './left-out-files.js';
import { SearchCodeHandler } from './search-code.js';

const codeSearch: FactoryProvider<CodeSearch> = {
  provide: CodeSearch,
  inject: [SEARCH_INDEX, CodeThreadPool, HybridSearch, CLOCK, ManifestLeftOutFiles],
  useFactory: (
    index: SearchIndex,
    { matches }: CodeThreadPool,
    searches: HybridSearch,
    clock: Clock,
    leftOut: ManifestLeftOutFiles,
  ) => new CodeSearch(index, matches, searches, clock, leftOut),
};

/** `/search/code`, and repeats of code searches for receipts. */
@Module({
  imports: [QuotaLedgerModule, SearchModule, SourcesModule, StreamsModule],
  controllers: [CodeSearchController],
  providers: [
    CodeThreadPool,
    ManifestLeftOutFiles,
    codeSearch,
    CodeReceipts,
    CodeReplays,
    CodeSearchStream,
    CodeTextStream,
    CodeSearchForms,
    SearchCodeHandler,
  ],
  exports: [CodeSearch, CodeSearchForms, CodeReceipts, CodeReplays, CodeThreadPool],
})
export class CodeSearchModule {}
