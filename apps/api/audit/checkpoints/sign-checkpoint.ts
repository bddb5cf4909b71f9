import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { signCheckpoint, type TileTree } from '#audit';
import { type AuditCheckpointEvent, FootnoteError } from '#contracts';
import type { CheckpointView } from '#contracts/http/index';
import { auditCheckpointDecider, type AuditCheckpointState, auditCheckpointStreams } from '#domain';
import { uuidv7 } from '#platform';
import { listAuditRecords } from '#read-model';

import type { Caller } from '../../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../../engines/engines.js';
import { Handles } from '../../use-cases/handles.js';
import { StreamCommands } from '../../write/stream-commands.js';
import { AuditTrees } from './audit-trees.js';
import { CheckpointStream } from './checkpoint-stream.js';
import { SigningKeys } from './signing-keys.js';

/** Signs the head of the caller's tree, or returns the last checkpoint if nothing came since. */
export class SignHead extends Command<CheckpointView> {
  constructor(readonly caller: Caller) {
    super();
  }
}

/** Most events that one signing appends: a key and a checkpoint. */
const OWN_EVENTS = 2;

@Handles(SignHead)
export class SignHeadHandler implements ICommandHandler<SignHead> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly trees: AuditTrees,
    private readonly keys: SigningKeys,
    private readonly stream: CheckpointStream,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller }: SignHead): Promise<CheckpointView> {
    const { tenantId } = caller;
    await this.commands.run({
      caller,
      identity: { commandId: uuidv7(), idempotency: undefined, newId: () => uuidv7() },
      stream: `checkpoint-${tenantId}`,
      decider: auditCheckpointDecider,
      expected: 'any',
      decide: (state) => this.decide(tenantId, state),
    });
    const last = (await this.stream.of(tenantId)).checkpoints.at(-1);
    if (!last) throw new Error(`The log has no checkpoint of tenant ${tenantId} after signing`);
    return last;
  }

  /**
   * Key and checkpoint are one append at the revision of the state. A process that ends before the
   * append has signed nothing that anyone saw.
   */
  private async decide(
    tenantId: string,
    state: AuditCheckpointState,
  ): Promise<readonly AuditCheckpointEvent[]> {
    const tree = await this.trees.newest(tenantId);
    if (state.last && !(await this.grew(tenantId, state.last.size, tree.size))) {
      await this.requireSameHistory(tenantId, state.last, tree);
      return [];
    }
    if (state.last) await this.requireSameHistory(tenantId, state.last, tree);
    const created = state.key
      ? []
      : auditCheckpointDecider.decide(
          { type: 'UseAuditKey', data: await this.keys.create(tenantId) },
          state,
        );
    const ready = created.reduce(
      (before, event) => auditCheckpointDecider.evolve(before, event, 0n),
      state,
    );
    if (!ready.key) throw new Error(`No audit key of tenant ${tenantId} after its creation`);
    const root = await tree.root();
    const head = { origin: ready.key.origin, size: tree.size, root };
    const data = {
      tenant_id: tenantId,
      size: tree.size,
      root: root.toString('hex'),
      key_id: ready.key.key_id,
      checkpoint: signCheckpoint(head, [await this.keys.open(ready.key)]),
    };
    return [...created, ...auditCheckpointDecider.decide({ type: 'SignCheckpoint', data }, ready)];
  }

  /** Reports whether anything but keys and checkpoints came since the last checkpoint. */
  private async grew(tenantId: string, from: number, size: number): Promise<boolean> {
    if (size - from > OWN_EVENTS) return true;
    const page = { filter: {}, order: 'asc', after: from - 1, limit: OWN_EVENTS } as const;
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    return rows.some(({ type }) => !Object.hasOwn(auditCheckpointStreams.events, type));
  }

  /** @throws FootnoteError `audit_trail_altered` unless the last checkpoint begins this tree. */
  private async requireSameHistory(
    tenantId: string,
    last: NonNullable<AuditCheckpointState['last']>,
    tree: TileTree,
  ): Promise<void> {
    const root = last.size <= tree.size ? await this.trees.at(tenantId, last.size).root() : null;
    if (root?.toString('hex') === last.root) return;
    throw new FootnoteError(
      'audit_trail_altered',
      `The audit trail does not contain its checkpoint of ${last.size} records; nothing was signed`,
    );
  }
}
