import { Injectable } from '@nestjs/common';

import { TenantSlots } from '../edge/tenant-slots.js';

/** Open streams: each holds a connection for as long as its client likes. */
@Injectable()
export class StreamSlots extends TenantSlots {
  constructor() {
    super({ perTenant: 50, inAll: 500, refusal: 'Too many streams are open' });
  }
}
