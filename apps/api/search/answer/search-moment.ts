import { Inject, Injectable } from '@nestjs/common';

import type { PolicySettings, Position } from '#contracts';
import { CLOCK, type Clock } from '#platform';

import { KnownPolicies } from '../../policy/known-policies.js';
import { ContentGaps } from '../../sources/content-gaps.js';
import { LiveSources, type SearchableSource } from '../../sources/live-sources.js';
import { OF_TENANT, visibleSources, type AudiencesAsked } from '../../sources/visible-sources.js';

/** What a search depends on beside its request and the content itself: the same moment gives the same answer. */
export interface SearchMoment {
  readonly tenantId: string;
  /** Whose sources these are. */
  readonly audiences: AudiencesAsked;
  readonly policy: PolicySettings;
  /** Revision of the policy's stream; null while it was never changed. */
  readonly policyRevision: number | null;
  /**
   * Everything live that these audiences see and that can be searched: what is searched, less the request's filters, and what statistics
   * are taken over.
   */
  readonly sources: readonly SearchableSource[];
  /** Live sources that no search can look into for want of their content. */
  readonly lost: readonly SearchableSource[];
  /** Of `sources`, those whose content is missing while the index still has it. */
  readonly indexedOnly: readonly SearchableSource[];
  /** The position that `sources` are the state of. */
  readonly liveAt: Position | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Models that the query may be embedded with. Default: all that are at hand. */
  readonly models?: readonly string[];
}

/** The present, from memory. */
@Injectable()
export class PresentMoment {
  constructor(
    private readonly liveSources: LiveSources,
    private readonly policies: KnownPolicies,
    private readonly contentGaps: ContentGaps,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @param audiences what the search speaks as; no request has a field for it. */
  of(tenantId: string, audiences: AudiencesAsked = OF_TENANT): SearchMoment {
    const { settings, revision } = this.policies.policyOf(tenantId);
    const { sources, at } = visibleSources(this.liveSources, { tenantId }, audiences);
    return {
      tenantId,
      audiences,
      policy: settings,
      policyRevision: revision < 0n ? null : Number(revision),
      ...this.byContent(sources),
      liveAt: at,
      now: this.clock.now().getTime(),
    };
  }

  private byContent(sources: readonly SearchableSource[]): Pick<SearchMoment, 'sources' | 'lost' | 'indexedOnly'> {
    if (this.contentGaps.isEmpty) return { sources, lost: [], indexedOnly: [] };
    return {
      sources: sources.filter((source) => !this.contentGaps.isLost(source)),
      lost: sources.filter((source) => this.contentGaps.isLost(source)),
      indexedOnly: sources.filter((source) => this.contentGaps.of(source)?.searchable),
    };
  }
}
