import type { PolicySettings } from '#contracts';
import {
  freshnessDays,
  isStale,
  type LeftOut,
  missingContentWarnings,
  type SourceStanding,
  WEIGHTS,
} from '#retrieval';

import type { SearchMoment } from './search-moment.js';
import type { SearchRequest } from './search-request.js';
import type { SearchableSource } from './searchable-source.js';

/** A source of a search with what the policy says of it at this moment. */
export interface ScopedSource {
  readonly source: SearchableSource;
  readonly priority: number;
  readonly freshnessDays: number;
  readonly isStale: boolean;
}

export interface SearchScope {
  /** The sources that the request's filters left, stale ones included. */
  readonly searched: readonly ScopedSource[];
  /** The sources of the scope whose results may be returned. */
  readonly eligible: ReadonlyMap<string, ScopedSource>;
  /** Sentences on sources that the filters left and whose content is missing. */
  readonly contentWarnings: readonly string[];
}

/** Returns the ranker's view of a source; of one outside the scope, the least favorable. */
export function rankedSource(scoped: ScopedSource | undefined): SourceStanding {
  return {
    priority: scoped?.priority ?? 0,
    isRepository: scoped?.source.kind === 'repo',
    isStale: scoped?.isStale ?? true,
    syncedAt: scoped?.source.syncedAt ?? 0,
  };
}

/** Unknown ids are ignored: they are simply not among the live sources. */
export function searchScope(
  { sources: live, lost, indexedOnly }: Pick<SearchMoment, 'sources' | 'lost' | 'indexedOnly'>,
  request: Pick<SearchRequest, 'source_ids' | 'include_stale'>,
  policy: PolicySettings,
  now: number,
): SearchScope {
  const wanted = request.source_ids && new Set(request.source_ids);
  const isWanted = ({ sourceId }: SearchableSource) => wanted?.has(sourceId) ?? true;
  const searched = live.filter(isWanted).map((source): ScopedSource => {
    const age = freshnessDays(source.syncedAt, now);
    return {
      source,
      priority: priorityOf(source, policy),
      freshnessDays: age,
      isStale: isStale(age, policy.staleness_budget_seconds),
    };
  });
  const dropsStale = policy.enforce_staleness && !request.include_stale;
  const eligible = searched.filter((scoped) => !(dropsStale && scoped.isStale));
  const contentWarnings = missingContentWarnings(
    namesOf(lost.filter(isWanted)),
    namesOf(indexedOnly.filter(isWanted)),
  );
  return {
    searched,
    contentWarnings,
    eligible: new Map(eligible.map((scoped) => [scoped.source.sourceId, scoped])),
  };
}

/** Results that the staleness filter and the priorities of the policy removed. */
export function leftOut({ searched, eligible, contentWarnings }: SearchScope): LeftOut {
  return {
    missingContent: contentWarnings,
    stale: searched.length - eligible.size,
    withoutPriority: [...eligible.values()].filter(({ priority }) => priority === 0).length,
  };
}

function namesOf(sources: readonly SearchableSource[]): string[] {
  return sources.map(({ name }) => name).sort();
}

function priorityOf({ kind, audience }: SearchableSource, policy: PolicySettings): number {
  const ofKind = kind === 'pdf' ? WEIGHTS.unweightedPriority : policy.source_priorities[kind];
  return audience.kind === 'conversation' ? ofKind * WEIGHTS.conversationPriority : ofKind;
}
