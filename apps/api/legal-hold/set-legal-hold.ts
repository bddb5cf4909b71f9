import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock, KEY_RING, type KeyRing, uuidv7 } from '#platform';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { changeLegalHold } from './change-legal-hold.js';
import { LegalHolds, type VersionedLegalHold } from './legal-holds.js';

/** Sets or releases the legal hold of the caller's tenant. */
export class SetLegalHold extends Command<VersionedLegalHold> {
  constructor(
    readonly caller: Caller,
    readonly held: boolean,
    readonly reason: string,
    readonly ifMatch: string | undefined,
  ) {
    super();
  }
}

@Handles(SetLegalHold)
export class SetLegalHoldHandler implements ICommandHandler<SetLegalHold> {
  constructor(
    private readonly holds: LegalHolds,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, held, reason, ifMatch }: SetLegalHold): Promise<VersionedLegalHold> {
    const { tenantId, actor, requestId, http } = caller;
    const { store, keyRing, clock } = this;
    await changeLegalHold(
      { store, keyRing, clock },
      {
        tenantId,
        held,
        reason,
        ifMatch,
        commandId: uuidv7(),
        origin: { actor, correlation_id: requestId, http },
      },
    );
    return this.holds.of(tenantId);
  }
}
