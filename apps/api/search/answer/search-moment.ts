import { Inject, Injectable } from '@nestjs/common';

import type { PolicySettings, Position } from '#contracts';
import { CLOCK, type Clock } from '#platform';

import { KnownLinks } from '../../package-links/known-links.js';
import { KnownPolicies } from '../../policy/known-policies.js';
import { ContentGaps } from '../../sources/content-gaps.js';
import { LiveSources, type SearchableSource } from '../../sources/live-sources.js';
import { allOf, type AudiencesAsked, visibleSources } from '../../sources/visible-sources.js';

/**
 * Inputs of a search besides its request and the content itself: the same moment gives the same
 * answer.
 */
export interface SearchMoment {
  readonly tenantId: string;
  /** Owner of these sources. */
  readonly audiences: AudiencesAsked;
  readonly policy: PolicySettings;
  /** Revision of the policy's stream; null while it was never changed. */
  readonly policyRevision: number | null;
  /**
   * Everything live that these audiences see and that can be searched: what is searched, less the
   * request's filters, and what statistics are taken over.
   */
  readonly sources: readonly SearchableSource[];
  /** Live sources that no search can look into for want of their content. */
  readonly lost: readonly SearchableSource[];
  /** Entries of `sources` whose content is missing, although the index still has it. */
  readonly indexedOnly: readonly SearchableSource[];
  /** The position that `sources` are the state of. */
  readonly liveAt: Position | null;
  /**
   * The position that the packages which the tenant links are the state of; null where none were
   * looked at.
   */
  readonly linksAt: Position | null;
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
    private readonly links: KnownLinks,
    private readonly policies: KnownPolicies,
    private readonly contentGaps: ContentGaps,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param asked what the search speaks as; no request has a field for it. Default: the tenant with
   * what it links.
   */
  of(tenantId: string, asked?: AudiencesAsked): SearchMoment {
    const { settings, revision } = this.policies.policyOf(tenantId);
    const links = this.links.of(tenantId);
    const audiences = asked ?? allOf(links);
    const { sources, at } = visibleSources(this.liveSources, { tenantId, links }, audiences);
    return {
      tenantId,
      audiences,
      policy: settings,
      policyRevision: revision < 0n ? null : Number(revision),
      ...this.byContent(sources),
      liveAt: at,
      linksAt: looksAtLinks(audiences) ? links.at : null,
      now: this.clock.now().getTime(),
    };
  }

  private byContent(
    sources: readonly SearchableSource[],
  ): Pick<SearchMoment, 'sources' | 'lost' | 'indexedOnly'> {
    if (this.contentGaps.isEmpty) return { sources, lost: [], indexedOnly: [] };
    return {
      sources: sources.filter((source) => !this.contentGaps.isLost(source)),
      lost: sources.filter((source) => this.contentGaps.isLost(source)),
      indexedOnly: sources.filter((source) => this.contentGaps.of(source)?.searchable),
    };
  }
}

function looksAtLinks(audiences: AudiencesAsked): boolean {
  return audiences.some((asked) => asked.kind === 'linked' && asked.package_id === undefined);
}
