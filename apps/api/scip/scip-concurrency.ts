import { Injectable } from '@nestjs/common';

import { TenantConcurrency } from '../edge/tenant-concurrency.js';

/** Uploads of one tenant that a process receives or converts at once. */
export const SCIP_UPLOADS_PER_TENANT = 2;
const SCIP_UPLOADS_IN_ALL = 8;

/** Uploads in progress: each has up to 256 MiB on disk, and conversions wait for each other. */
@Injectable()
export class ScipConcurrency extends TenantConcurrency {
  constructor() {
    super({
      perTenant: SCIP_UPLOADS_PER_TENANT,
      inAll: SCIP_UPLOADS_IN_ALL,
      refusal: 'Too many SCIP indexes are being uploaded',
    });
  }
}
