import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { LegalHolds, type VersionedLegalHold } from './legal-holds.js';

/** Returns the legal hold of the caller's tenant. */
export class GetLegalHold extends Query<VersionedLegalHold> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(GetLegalHold)
export class GetLegalHoldHandler implements IQueryHandler<GetLegalHold> {
  constructor(private readonly holds: LegalHolds) {}

  execute({ caller }: GetLegalHold): Promise<VersionedLegalHold> {
    return this.holds.of(caller.tenantId);
  }
}
