import { Injectable } from '@nestjs/common';

import type { SearchMoment } from '#search';

import { type AskedAsOf, Moments } from '../history/moments.js';
import { PastPolicies } from '../history/past-policies.js';
import { PastMoment } from './past-moment.js';

/** Returns the search moments that requests name by `as_of` or `as_of_seq`. */
@Injectable()
export class AsOfMoments {
  constructor(
    private readonly moments: Moments,
    private readonly policies: PastPolicies,
    private readonly past: PastMoment,
  ) {}

  /**
   * Returns undefined if the request names none. Staleness is that of the moment.
   * @throws FootnoteError as `Moments.at` and `PastMoment.of`.
   */
  async of(tenantId: string, request: AskedAsOf): Promise<SearchMoment | undefined> {
    const moment = await this.moments.asked(tenantId, request);
    if (!moment) return undefined;
    const place = await this.moments.placeOf(tenantId, moment);
    const position = place?.position ?? null;
    const { revision } = await this.policies.at(tenantId, moment);
    const at = request.as_of ?? place?.recordedAt;
    const then = await this.past.of({
      tenantId,
      policyRevision: revision,
      liveAt: position,
      linksAt: position,
      now: at === undefined ? 0 : Date.parse(at),
    });
    return { ...then, asOfSeq: moment.seq };
  }
}
