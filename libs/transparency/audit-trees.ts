import { TILE_WIDTH, TileTree } from '#audit';
import { FootnoteError } from '#contracts';
import type { EventStore } from '#event-store';
import { auditHeads, type ReadModel, treeHashes } from '#read-model';

export interface AuditTreesDependencies {
  readonly readModel: Pick<ReadModel, 'ask' | 'waitFor'>;
  readonly store: Pick<EventStore, 'head'>;
}

/** Wait for the projection of the newest events, milliseconds. */
const PROJECTION_WAIT_MS = 2_000;

/** Merkle trees of the tenants, computed from the audit records. */
export class AuditTrees {
  constructor(private readonly dependencies: AuditTreesDependencies) {}

  /**
   * Returns a tenant's tree with all events that the log has now. If the projection needs more than
   * two seconds, the newest may be missing.
   * @param atLeast size that the tree had before.
   * @throws FootnoteError `engine_unavailable` if a late projection has fewer records than that.
   */
  async newest(tenantId: string, atLeast = 0): Promise<TileTree> {
    const { readModel, store } = this.dependencies;
    const head = await store.head();
    const isCurrent =
      head === null ||
      (await readModel.waitFor('audit_records', head, PROJECTION_WAIT_MS).catch(() => false));
    const end = await readModel.ask(
      async (manager, id) => (await auditHeads(manager, [id])).get(id),
      tenantId,
    );
    const size = end?.size ?? 0;
    if (!isCurrent && size < atLeast) {
      const message = `The audit trail has projected ${size} of ${atLeast} records; retry later`;
      throw new FootnoteError('engine_unavailable', message, { retryAfter: 5 });
    }
    return this.at(tenantId, size);
  }

  /** Returns the tree at a size that the trail has reached. */
  at(tenantId: string, size: number): TileTree {
    const { readModel } = this.dependencies;
    return new TileTree(
      {
        read: ({ level, index, width }) => {
          const range = { level, first: index * TILE_WIDTH, count: width };
          return readModel.ask(treeHashes, tenantId, range);
        },
      },
      size,
    );
  }
}
