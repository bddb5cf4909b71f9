import type { SearchResult } from '#contracts';

/** Purposes of a search action. */
export type ActionPurpose =
  'question' | 'definition' | 'path' | 'import' | 'caller' | 'test' | 'term';

/** One search over attached repositories. Equal actions have equal keys. */
export interface SearchAction {
  /** Identity of the action within a job; derived from all other fields. */
  readonly key: string;
  readonly purpose: ActionPurpose;
  readonly query: string;
  /** Repositories that are searched together, as `owner/name`. */
  readonly repositories: readonly string[];
  /** Globs; empty for every path. */
  readonly paths: readonly string[];
  /** Whether the search follows its own results (recursive multi-hop search). */
  readonly isMultiHop: boolean;
}

/** A search result with its repository. Its commit is the citation's `version_ref`. */
export interface ResearchPassage {
  /** `owner/name`. */
  readonly repo: string;
  readonly result: SearchResult;
}

/** The passages that an action found, best first; empty if it found none or was refused. */
export interface Observation {
  readonly action: SearchAction;
  readonly passages: readonly ResearchPassage[];
}
