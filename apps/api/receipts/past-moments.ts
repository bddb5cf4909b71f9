import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, type PolicySettings, type Position } from '#contracts';
import { policyDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { linkedPackagesAt, liveSourcesAt, type LiveSourceThen } from '#read-model';
import { type AudiencesAsked, isVisible, type LinkedPackages, NO_LINKS, ownersOf } from '#search';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Projected } from '../write/projected.js';

/** Returns policy and live sources as they were at a position of the log. */
@Injectable()
export class PastMoments {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly projected: Projected,
  ) {}

  /** @param revision of the policy's stream; null: before it was first changed. */
  async policy(tenantId: string, revision: number | null): Promise<PolicySettings> {
    if (revision === null) return policyDecider.initial.settings;
    const until = { revision: BigInt(revision) };
    return (await foldStream(this.store, policyDecider, `policy-${tenantId}`, { until })).state
      .settings;
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
    if (at === null) return [];
    if (!(await this.projected.reached('source_history', at))) throw behind('sources');
    const links = await this.links(tenantId, linksAt);
    const owners = ownersOf(audiences, tenantId);
    const then = await Promise.all(
      owners.map((owner) => this.readModel.ask(liveSourcesAt, owner, at)),
    );
    return then.flat().filter(({ tenant_id, audience }) => {
      return isVisible({ tenantId: tenant_id, audience }, { tenantId, links }, audiences);
    });
  }

  private async links(tenantId: string, at: Position | null): Promise<LinkedPackages> {
    if (at === null) return NO_LINKS;
    if (!(await this.projected.reached('package_links', at))) throw behind('links');
    return { packages: await this.readModel.ask(linkedPackagesAt, tenantId, at), at };
  }
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
