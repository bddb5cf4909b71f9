import { type FactoryProvider, Module } from '@nestjs/common';

import { CLOCK, type Clock } from '#platform';
import { CodeNavigation, CodeReferences, HybridSearch } from '#search';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import { CodeSearchModule } from '../code-search/code-search.module.js';
import { MatchPool } from '../code-search/match-pool.js';
import { SearchModule } from '../search/search.module.js';
import { CodeNavigationController } from './code-navigation.controller.js';
import { FindDefinitionsHandler } from './find-definitions.js';
import { FindReferencesHandler } from './find-references.js';
import { NavigationReplays } from './navigation-replays.js';
import { ReferencePool } from './reference-pool.js';

const codeNavigation: FactoryProvider<CodeNavigation> = {
  provide: CodeNavigation,
  inject: [SEARCH_INDEX, HybridSearch, CLOCK],
  useFactory: (index: SearchIndex, searches: HybridSearch, clock: Clock) =>
    new CodeNavigation(index, searches, clock),
};

const codeReferences: FactoryProvider<CodeReferences> = {
  provide: CodeReferences,
  inject: [SEARCH_INDEX, MatchPool, ReferencePool, HybridSearch, CLOCK],
  useFactory: (
    index: SearchIndex,
    { threads: matches }: MatchPool,
    { threads: references }: ReferencePool,
    searches: HybridSearch,
    clock: Clock,
  ) => new CodeReferences(index, { matches, references }, searches, clock),
};

/** `/symbols`, `/definitions` and `/references`, and their repeats for receipts. */
@Module({
  imports: [CodeSearchModule, SearchModule],
  controllers: [CodeNavigationController],
  providers: [
    ReferencePool,
    codeNavigation,
    codeReferences,
    FindDefinitionsHandler,
    FindReferencesHandler,
    NavigationReplays,
  ],
  exports: [NavigationReplays],
})
export class CodeNavigationModule {}
