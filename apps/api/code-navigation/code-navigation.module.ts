import { type FactoryProvider, Module } from '@nestjs/common';

import { CLOCK, type Clock } from '#platform';
import { CodeNavigation, HybridSearch } from '#search';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import { CodeSearchModule } from '../code-search/code-search.module.js';
import { SearchModule } from '../search/search.module.js';
import { CodeNavigationController } from './code-navigation.controller.js';
import { NavigateCodeHandler } from './navigate-code.js';
import { NavigationReplays } from './navigation-replays.js';

const codeNavigation: FactoryProvider<CodeNavigation> = {
  provide: CodeNavigation,
  inject: [SEARCH_INDEX, HybridSearch, CLOCK],
  useFactory: (index: SearchIndex, searches: HybridSearch, clock: Clock) =>
    new CodeNavigation(index, searches, clock),
};

/** `/symbols` and `/definitions`, and their repeats for receipts. */
@Module({
  imports: [CodeSearchModule, SearchModule],
  controllers: [CodeNavigationController],
  providers: [codeNavigation, NavigateCodeHandler, NavigationReplays],
  exports: [NavigationReplays],
})
export class CodeNavigationModule {}
