import { Inject, Injectable } from '@nestjs/common';

import { TILE_WIDTH, TileTree } from '#audit';
import { EVENT_STORE, type EventStore } from '#event-store';
import { auditHeads, treeHashes } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../../engines/engines.js';
import { Projected } from '../../write/projected.js';

/** Merkle trees of the tenants, computed from the audit records. */
@Injectable()
export class AuditTrees {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly projected: Projected,
  ) {}

  /**
   * Returns a tenant's tree with all events that the log has now. If the projection needs more than
   * two seconds, the newest may be missing.
   */
  async newest(tenantId: string): Promise<TileTree> {
    await this.projected.reached('audit_records', await this.store.head());
    const head = await this.readModel.ask(
      async (manager, id) => (await auditHeads(manager, [id])).get(id),
      tenantId,
    );
    return this.at(tenantId, head?.size ?? 0);
  }

  /** Returns the tree at a size that the trail has reached. */
  at(tenantId: string, size: number): TileTree {
    return new TileTree(
      {
        read: ({ level, index, width }) => {
          const range = { level, first: index * TILE_WIDTH, count: width };
          return this.readModel.ask(treeHashes, tenantId, range);
        },
      },
      size,
    );
  }
}
