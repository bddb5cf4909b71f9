import { Injectable } from '@nestjs/common';

import { TenantConcurrency } from '../edge/tenant-concurrency.js';

/** Exports of one tenant that run at once in a process. */
export const EXPORTS_PER_TENANT = 2;
const EXPORTS_IN_ALL = 8;

/** Running exports: each reads the log and holds a connection until it ends. */
@Injectable()
export class ExportConcurrency extends TenantConcurrency {
  constructor() {
    super({
      perTenant: EXPORTS_PER_TENANT,
      inAll: EXPORTS_IN_ALL,
      refusal: 'Too many exports of the audit trail are running',
    });
  }
}
