import { type Audience, isFootnoteError, type PolicySettings, TENANT_AUDIENCE } from '#contracts';
import { policyDecider } from '#domain';
import { type EventStore, foldStream } from '#event-store';
import type { Clock, Config } from '#platform';
import type { ResearchPassage, SearchAction } from '#research';
import { repositoryPages, type Searches, type SearchMoment } from '#search';

import { researchAudience } from './research-sources.js';
import { StepFailed } from './step-failure.js';

/** Results of one search. */
const TOP_K = 12;
/** Tokens of the results of one search. */
const MAX_TOKENS = 6_000;

/** A repository that a job attached and read. */
export interface AttachedSource {
  readonly repo: string;
  readonly commit: string;
  readonly sourceId: string;
  readonly generation: number;
  /** Milliseconds since the epoch. */
  readonly syncedAt: number;
  /** The source is the tenant's own. Absent: it is a temporary one. */
  readonly origin?: 'tenant';
}

/** The policy that applies to the searches of a job. */
export interface AppliedPolicy {
  readonly settings: PolicySettings;
  /** Null while it was never changed. */
  readonly revision: number | null;
}

export interface RoverSearchesDependencies {
  readonly searches: Searches;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'git' | 'github'>;
}

/** Searches over the repositories that a job attached, and nothing else of its tenant. */
export class RoverSearches {
  constructor(private readonly dependencies: RoverSearchesDependencies) {}

  /** Returns the policy of a tenant. */
  async policyOf(tenantId: string): Promise<AppliedPolicy> {
    const { store } = this.dependencies;
    const { state, revision } = await foldStream(store, policyDecider, `policy-${tenantId}`);
    return {
      settings: state.settings,
      revision: revision === 'none' ? null : Number(revision),
    };
  }

  /**
   * Returns the passages of one search, best first; none if the policy refuses them.
   * @throws StepFailed if the search costs too much; the reason of the signal.
   */
  async run(
    tenantId: string,
    action: SearchAction,
    attached: readonly AttachedSource[],
    policy: AppliedPolicy,
    signal: AbortSignal,
  ): Promise<ResearchPassage[]> {
    const { searches } = this.dependencies;
    const searched = attached.filter(({ repo }) => action.repositories.includes(repo));
    const repoOf = new Map(searched.map(({ sourceId, repo }) => [sourceId, repo]));
    const momentOf = () => this.moment(tenantId, searched, policy);
    const request = {
      query: action.query,
      max_tokens: MAX_TOKENS,
      top_k: TOP_K,
      include_stale: true,
      ...(action.paths.length > 0 && { path_patterns: [...action.paths] }),
    };
    try {
      const { answer } = action.isMultiHop
        ? await searches.multiHop.run({ ...request, ...MULTI_HOP }, momentOf, signal)
        : await searches.hybrid.run(request, momentOf, { signal });
      return 'results' in answer
        ? answer.results.flatMap((result) => {
            const repo = repoOf.get(result.citation.source_id);
            return repo === undefined ? [] : [{ repo, result }];
          })
        : [];
    } catch (error) {
      if (isFootnoteError(error, 'search_too_costly')) throw new StepFailed('search_failed');
      throw error;
    }
  }

  private moment(
    tenantId: string,
    attached: readonly AttachedSource[],
    { settings, revision }: AppliedPolicy,
  ): SearchMoment {
    const { clock, config } = this.dependencies;
    return {
      tenantId,
      audiences: attached.map(audienceOf),
      policy: settings,
      policyRevision: revision,
      sources: attached.map((source) => ({
        tenantId,
        sourceId: source.sourceId,
        generation: source.generation,
        name: source.repo,
        audience: audienceOf(source),
        kind: 'repo',
        versionRef: source.commit,
        pages: repositoryPages(`${config.github.gitUrl}/${source.repo}`, config.git.hostKinds),
        syncedAt: source.syncedAt,
      })),
      lost: [],
      indexedOnly: [],
      liveAt: null,
      linksAt: null,
      now: clock.now().getTime(),
    };
  }
}

function audienceOf(source: AttachedSource): Audience {
  return source.origin === 'tenant' ? TENANT_AUDIENCE : researchAudience(source);
}

const MULTI_HOP = {
  max_rounds: 2,
  neighbor_line_radius: 20,
  expand_neighbors: true,
  secondary_search: true,
} as const;
