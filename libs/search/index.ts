export { addSentences } from './add-sentences.js';
export { choosePassagesInFiles } from './choose-passages-in-files.js';
export { CodeSearch, type CodeSearchLimits, type CodeSearchOutcome } from './code-search.js';
export type { CodeSearchRequest } from './code-search-scope.js';
export type { TextSink } from './text-sink.js';
export { CodeNavigation } from './navigation/code-navigation.js';
export { CodeReferences } from './navigation/code-references.js';
export type {
  DefinitionsRequest,
  NavigationOutcome,
  NavigationRequest,
  ReferencesEnd,
  ReferencesRequest,
} from './navigation/navigation.types.js';
export type {
  PreciseNavigation,
  PreciseRequest,
  UsedTable,
} from './navigation/precise/precise-navigation.port.js';
export { PreciseSource } from './navigation/precise/precise-source.js';
export type { LeftOutCounts, LeftOutFiles } from './left-out-files.js';
export { createSearches, type Searches } from './create-searches.js';
export { HybridSearch } from './hybrid-search.js';
export { type LinkedPackages, NO_LINKS } from './linked-packages.js';
export { MultiHopSearch } from './multi-hop-search.js';
export { patternListProblems, patternProblems } from './pattern-problems.js';
export { QueryModels } from './query-models.js';
export { Refiner } from './refiner.js';
export { rerankWarnings } from './rerank-results.js';
export { repositoryAddress, repositoryPages, type RepositoryPages } from './repository-pages.js';
export { asPassages, asRanked } from './result-choice.js';
export type { SearchMoment, UsedReranker, UsedSentences } from './search-moment.js';
export type { Asked, SearchEvidence, SearchOutcome } from './search-outcome.js';
export type { MultiHopRequest, SearchRequest } from './search-request.js';
export type { LiveSourcesAt, SearchableSource } from './searchable-source.js';
export {
  allOf,
  isFor,
  isForTenant,
  isVisible,
  ofConversation,
  OF_TENANT,
  ofPackage,
  ownersOf,
  SERVICE_DOCS,
  visibleSource,
  visibleSources,
  type AudiencesAsked,
} from './visible-sources.js';
export { tokenCounter } from './within-budget.js';
