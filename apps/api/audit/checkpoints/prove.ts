import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { TileTree } from '#audit';
import { validationFailed } from '#contracts';
import type {
  AuditConsistencyQuery,
  AuditConsistencyView,
  AuditProofQuery,
  AuditProofView,
} from '#contracts/http/index';
import { treeHashes } from '#read-model';
import { AuditTrees } from '#transparency';

import type { Caller } from '../../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../../engines/engines.js';
import { Handles } from '../../use-cases/handles.js';

/** Proves that a record is in the tree of a size. */
export class ProveRecord extends Query<AuditProofView> {
  constructor(
    readonly caller: Caller,
    readonly query: AuditProofQuery,
  ) {
    super();
  }
}

@Handles(ProveRecord)
export class ProveRecordHandler implements IQueryHandler<ProveRecord> {
  constructor(
    private readonly trees: AuditTrees,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller: { tenantId }, query }: ProveRecord): Promise<AuditProofView> {
    const tree = sized(this.trees, tenantId, await this.trees.newest(tenantId), 'size', query.size);
    const { seq } = query;
    if (seq >= tree.size) throw outOfRange('seq', tree.size - 1, seq);
    const range = { level: 0, first: seq, count: 1 };
    const [leaf, root, proof] = await Promise.all([
      this.readModel.ask(treeHashes, tenantId, range),
      tree.root(),
      tree.inclusionProof(seq),
    ]);
    return { seq, size: tree.size, leaf: hex(leaf), root: hex(root), proof: proof.map(hex) };
  }
}

/** Proves that the tree of one size begins the tree of another. */
export class ProveConsistency extends Query<AuditConsistencyView> {
  constructor(
    readonly caller: Caller,
    readonly query: AuditConsistencyQuery,
  ) {
    super();
  }
}

@Handles(ProveConsistency)
export class ProveConsistencyHandler implements IQueryHandler<ProveConsistency> {
  constructor(private readonly trees: AuditTrees) {}

  async execute({ caller: { tenantId }, query }: ProveConsistency): Promise<AuditConsistencyView> {
    const tree = sized(this.trees, tenantId, await this.trees.newest(tenantId), 'to', query.to);
    const { from } = query;
    if (from > tree.size) throw outOfRange('from', tree.size, from);
    const [fromRoot, toRoot, proof] = await Promise.all([
      this.trees.at(tenantId, from).root(),
      tree.root(),
      tree.consistencyProof(from),
    ]);
    const roots = { from_root: hex(fromRoot), to_root: hex(toRoot) };
    return { from, to: tree.size, ...roots, proof: proof.map(hex) };
  }
}

/** Returns the tree at a requested size, which the trail must have reached. */
function sized(
  trees: AuditTrees,
  tenantId: string,
  newest: TileTree,
  field: string,
  size = newest.size,
): TileTree {
  if (size > newest.size) throw outOfRange(field, newest.size, size);
  return trees.at(tenantId, size);
}

function outOfRange(field: string, most: number, value: number) {
  return validationFailed([{ field, message: `must not be greater than ${most} (got ${value})` }]);
}

function hex(hash: Buffer): string {
  return hash.toString('hex');
}
