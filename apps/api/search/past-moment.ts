import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, type Position } from '#contracts';
import type { Config } from '#platform';
import { linkedPackagesAt, liveSourcesAt, type LiveSourceThen } from '#read-model';
import {
  allOf,
  type AudiencesAsked,
  isVisible,
  type LinkedPackages,
  NO_LINKS,
  ownersOf,
  repositoryPages,
  type SearchableSource,
  type SearchMoment,
} from '#search';

import { type ApiReadModel, CONFIG, READ_MODEL } from '../engines/engines.js';
import { PastPolicies } from '../history/past-policies.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { Projected } from '../write/projected.js';

/** The positions and the clock that a past search moment is made of. */
export interface PastPlace {
  readonly tenantId: string;
  /** Default: the tenant with what it linked then. */
  readonly audiences?: AudiencesAsked;
  /** Revision of the policy's stream; null before it was first changed. */
  readonly policyRevision: number | null;
  readonly liveAt: Position | null;
  /** Position of the tenant's links; null where no links are read. */
  readonly linksAt: Position | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Generations that an error names at most. */
const MOST_NAMED = 5;

/** Returns the inputs of searches as they were at a position of the log. */
@Injectable()
export class PastMoment {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly projected: Projected,
    private readonly policies: PastPolicies,
    private readonly contentGaps: ContentGaps,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws FootnoteError `generation_dropped` if a generation that was live is not kept;
   * `content_missing` if content of one is missing; `engine_unavailable` as {@link liveSources}.
   */
  async of(place: PastPlace): Promise<SearchMoment> {
    const { tenantId, policyRevision, liveAt, linksAt, now } = place;
    const links = await this.links(tenantId, linksAt);
    const audiences = place.audiences ?? allOf(links);
    const [policy, live] = await Promise.all([
      this.policies.settings(tenantId, policyRevision),
      this.visible(tenantId, liveAt, audiences, links),
    ]);
    refuseDropped(live);
    await this.refuseLost(live);
    const sources = live.map((source) => this.searchable(source));
    const whole = { lost: [], indexedOnly: [] };
    return { tenantId, audiences, policy, policyRevision, sources, ...whole, liveAt, linksAt, now };
  }

  /**
   * Returns the sources that were live then and are visible to these audiences.
   *
   * @param linksAt position of the tenant's links; null where no links were read.
   * @throws FootnoteError `engine_unavailable` while the projections have not reached that
   * position.
   */
  async liveSources(
    tenantId: string,
    at: Position | null,
    audiences: AudiencesAsked,
    linksAt: Position | null,
  ): Promise<readonly LiveSourceThen[]> {
    return this.visible(tenantId, at, audiences, await this.links(tenantId, linksAt));
  }

  private async visible(
    tenantId: string,
    at: Position | null,
    audiences: AudiencesAsked,
    links: LinkedPackages,
  ): Promise<readonly LiveSourceThen[]> {
    if (at === null) return [];
    if (!(await this.projected.reached('source_history', at))) throw behind('sources');
    const owners = ownersOf(audiences, tenantId);
    const then = await Promise.all(
      owners.map((owner) => this.readModel.ask(liveSourcesAt, owner, at)),
    );
    return then.flat().filter(({ tenant_id, audience }) => {
      return isVisible({ tenantId: tenant_id, audience }, { tenantId, links }, audiences);
    });
  }

  /** Returns the packages that the tenant linked at a position; none for null. */
  private async links(tenantId: string, at: Position | null): Promise<LinkedPackages> {
    if (at === null) return NO_LINKS;
    if (!(await this.projected.reached('package_links', at))) throw behind('links');
    return { packages: await this.readModel.ask(linkedPackagesAt, tenantId, at), at };
  }

  private searchable(source: LiveSourceThen): SearchableSource {
    const { tenant_id: tenantId, source_id: sourceId, generation, name, audience, kind } = source;
    return {
      tenantId,
      sourceId,
      generation,
      name,
      audience,
      kind,
      versionRef: source.version_ref,
      pages: repositoryPages(source.url, this.config.git.hostKinds),
      syncedAt: Date.parse(source.synced_at),
    };
  }

  /** As with dropped ones, one is enough. */
  private async refuseLost(live: readonly LiveSourceThen[]): Promise<void> {
    await this.contentGaps.refreshUnlessFresh();
    const of = ({ tenant_id: tenantId, source_id: sourceId, generation }: LiveSourceThen) => ({
      tenantId,
      sourceId,
      generation,
    });
    const lost = live.find((source) => this.contentGaps.isLost(of(source)));
    if (!lost) return;
    throw new FootnoteError(
      'content_missing',
      `Content of generation ${lost.generation} of ${lost.name} is missing; the search cannot be replayed`,
    );
  }
}

/** One is enough: term statistics were taken over everything that was live. */
function refuseDropped(live: readonly LiveSourceThen[]): void {
  const dropped = live.filter((source) => source.dropped);
  if (dropped.length === 0) return;
  const named = dropped
    .slice(0, MOST_NAMED)
    .map(({ generation, name }) => `generation ${generation} of ${name}`);
  const more = dropped.length > MOST_NAMED ? `, and ${dropped.length - MOST_NAMED} more` : '';
  throw new FootnoteError('generation_dropped', `Not kept any more: ${named.join(', ')}${more}`);
}

function behind(what: string): FootnoteError {
  return new FootnoteError(
    'engine_unavailable',
    `The history of ${what} is behind; try again shortly`,
    {
      retryAfter: 1,
    },
  );
}
