import { Inject, Injectable } from '@nestjs/common';

import type { RecordedEvent, StreamName } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import type { ProjectionName } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';

/**
 * Finds what a read model does not show yet. A client must be able to read what it was just given,
 * also while projections are late.
 */
@Injectable()
export class Unprojected {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  /**
   * Returns the first event of a stream of the caller's tenant if the projection has not reached
   * it. Returns null if it has: a missing row then means that nothing is there.
   */
  async firstEvent(
    projection: ProjectionName,
    stream: StreamName,
    { tenantId }: Caller,
  ): Promise<RecordedEvent | null> {
    for await (const first of this.store.read(stream, { limit: 1 })) {
      if (first.metadata.tenant_id !== tenantId) return null;
      const reached = await this.readModel.positionOf(projection);
      return reached !== null && reached >= first.position ? null : first;
    }
    return null;
  }
}

/**
 * Returns the row of a read model, else what the log shows while the projection has not reached it.
 * If the log shows nothing, reads the row again: the projection may have reached it between the
 * two.
 */
export async function projectedOrLogged<View>(
  projected: () => Promise<View | null>,
  logged: () => Promise<View | null>,
): Promise<View | null> {
  return (await projected()) ?? (await logged()) ?? (await projected());
}
