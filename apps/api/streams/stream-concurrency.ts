import { Inject, Injectable } from '@nestjs/common';

import type { Config } from '#platform';

import { TenantConcurrency } from '../edge/tenant-concurrency.js';
import { CONFIG } from '../engines/engines.js';

/** Open streams: each holds a connection for as long as it lasts. */
@Injectable()
export class StreamConcurrency extends TenantConcurrency {
  constructor(@Inject(CONFIG) { fairness }: Pick<Config, 'fairness'>) {
    const { streamsPerTenant: perTenant, streamsInAll: inAll } = fairness;
    super({ perTenant, inAll, refusal: 'Too many streams are open' });
  }
}
