import { Inject, Injectable } from '@nestjs/common';

import { CLOCK, type Clock } from '#platform';
import {
  allOf,
  type AudiencesAsked,
  type SearchableSource,
  type SearchMoment,
  visibleSources,
} from '#search';

import { KnownLinks } from '../package-links/known-links.js';
import { KnownPolicies } from '../policy/known-policies.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { LiveSources } from '../sources/live-sources.js';

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
