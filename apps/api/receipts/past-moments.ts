import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, type PolicySettings, type Position } from '#contracts';
import { policyDecider } from '#domain';
import { EVENT_STORE, foldStream, type EventStore } from '#event-store';
import type { LiveSourceThen } from '#read-model';

import { READ_MODEL, type ApiReadModel } from '../engines/engines.js';
import { isVisible, ownersOf, type AudiencesAsked } from '../sources/visible-sources.js';
import { Projected } from '../write/projected.js';

/** Tells policy and live sources as they were at a position of the log. */
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
    return (await foldStream(this.store, policyDecider, `policy-${tenantId}`, { until })).state.settings;
  }

  /**
   * What of everything live then is for these audiences.
   * @throws FootnoteError `engine_unavailable` while the projection has not come that far.
   */
  async liveSources(
    tenantId: string,
    at: Position | null,
    audiences: AudiencesAsked,
  ): Promise<readonly LiveSourceThen[]> {
    if (at === null) return [];
    if (!(await this.projected.reached('source_history', at))) {
      throw new FootnoteError('engine_unavailable', 'The history of sources is behind; try again shortly', {
        retryAfter: 1,
      });
    }
    const owners = ownersOf(audiences, tenantId);
    const then = await Promise.all(owners.map((owner) => this.readModel.liveSourcesAt(owner, at)));
    return then.flat().filter(({ tenant_id, audience }) => {
      return isVisible({ tenantId: tenant_id, audience }, { tenantId }, audiences);
    });
  }
}
