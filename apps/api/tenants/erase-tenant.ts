import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { TenantErasureView } from '#contracts/http/index';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock, uuidv7 } from '#platform';

import type { Caller } from '../auth/caller.js';
import { ErasedTenants } from '../auth/erased-tenants.js';
import { Handles } from '../use-cases/handles.js';
import { PROJECTION_WAIT_MS } from '../write/projected.js';
import { requestErasure } from './request-erasure.js';

/** Has everything of the caller's tenant destroyed. */
export class EraseTenant extends Command<TenantErasureView> {
  constructor(
    readonly caller: Caller,
    readonly confirm: string,
  ) {
    super();
  }
}

@Handles(EraseTenant)
export class EraseTenantHandler implements ICommandHandler<EraseTenant> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly erased: ErasedTenants,
  ) {}

  /**
   * This process refuses the tenant's credentials before the answer leaves; others do within a
   * second.
   */
  async execute({ caller, confirm }: EraseTenant): Promise<TenantErasureView> {
    const { tenantId, actor, requestId, http } = caller;
    const { position, metadata } = await requestErasure(this.store, this.clock, {
      tenantId,
      confirm,
      reason: 'owner_request',
      commandId: uuidv7(),
      metadata: { actor, correlation_id: requestId, http },
    });
    if (position !== null) await this.erased.projection.waitFor(position, PROJECTION_WAIT_MS);
    const requested_at = metadata?.occurred_at ?? this.clock.now().toISOString();
    return { tenant_id: tenantId, status: 'erasing', requested_at };
  }
}
