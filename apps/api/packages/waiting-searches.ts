import { Injectable } from '@nestjs/common';

import { TenantConcurrency } from '../edge/tenant-concurrency.js';

/** Searches that wait for their package to be indexed: each holds a connection until it is. */
@Injectable()
export class WaitingSearches extends TenantConcurrency {
  constructor() {
    super({
      perTenant: 100,
      inAll: 500,
      refusal: 'Too many searches wait for packages to be indexed',
    });
  }
}
