import { type FactoryProvider, Module } from '@nestjs/common';

import { CLOCK, type Clock } from '#platform';
import { CodeNavigation, CodeReferences, HybridSearch } from '#search';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import { CodeSearchModule } from '../code-search/code-search.module.js';
import { CodeThreadPool } from '../code-search/code-thread-pool.js';
import { ScipModule } from '../scip/scip.module.js';
import { ScipTables } from '../scip/scip-tables.js';
import { SearchModule } from '../search/search.module.js';
import { CodeNavigationController } from './code-navigation.controller.js';
import { FindDefinitionsHandler } from './find-definitions.js';
import { FindReferencesHandler } from './find-references.js';
import { NavigationReplays } from './navigation-replays.js';

const codeNavigation: FactoryProvider<CodeNavigation> = {
  provide: CodeNavigation,
  inject: [SEARCH_INDEX, CodeThreadPool, HybridSearch, ScipTables, CLOCK],
  useFactory: (
    index: SearchIndex,
    { references }: CodeThreadPool,
    searches: HybridSearch,
    tables: ScipTables,
    clock: Clock,
  ) => new CodeNavigation(index, references, searches, tables, clock),
};

const codeReferences: FactoryProvider<CodeReferences> = {
  provide: CodeReferences,
  inject: [SEARCH_INDEX, CodeThreadPool, HybridSearch, ScipTables, CLOCK],
  useFactory: (
    index: SearchIndex,
    threads: CodeThreadPool,
    searches: HybridSearch,
    tables: ScipTables,
    clock: Clock,
  ) => new CodeReferences(index, threads, searches, tables, clock),
};

/** `/symbols`, `/definitions` and `/references`, and their repeats for receipts. */
@Module({
  imports: [CodeSearchModule, ScipModule, SearchModule],
  controllers: [CodeNavigationController],
  providers: [
    codeNavigation,
    codeReferences,
    FindDefinitionsHandler,
    FindReferencesHandler,
    NavigationReplays,
  ],
  exports: [CodeNavigation, CodeReferences, NavigationReplays],
})
export class CodeNavigationModule {}
