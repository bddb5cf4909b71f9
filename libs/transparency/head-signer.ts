import { signCheckpoint, type TileTree } from '#audit';
import { type AuditCheckpointEvent, FootnoteError } from '#contracts';
import {
  type AuditCheckpointCommand,
  auditCheckpointDecider,
  type AuditCheckpointState,
  auditCheckpointStreams,
} from '#domain';
import {
  type CommandContext,
  type CommandResult,
  type EventStore,
  handleCommand,
} from '#event-store';
import type { Clock } from '#platform';
import { listAuditRecords, type ReadModel } from '#read-model';

import type { AuditTrees } from './audit-trees.js';
import { type CheckpointStates, checkpointStream, continuing } from './checkpoint-states.js';
import type { SigningKeys } from './signing-keys.js';

export interface HeadSignerDependencies {
  readonly store: Pick<EventStore, 'read' | 'append'>;
  readonly clock: Clock;
  readonly readModel: Pick<ReadModel, 'ask'>;
  readonly trees: AuditTrees;
  readonly keys: SigningKeys;
  readonly states: CheckpointStates;
  /** Names of the witnesses in use. */
  readonly witnesses: readonly string[];
}

type Signing = CommandResult<AuditCheckpointState, AuditCheckpointEvent>;

/** Records read at once in the search for one that is no checkpoint. */
const PAGE = 64;

/** Signs the heads of tenants' trees, and keeps the record of who confirmed them. */
export class HeadSigner {
  constructor(private readonly dependencies: HeadSignerDependencies) {}

  /**
   * Signs the head of a tenant's tree. Nothing happens if only keys, checkpoints and answers to
   * them came since the last checkpoint.
   *
   * Key and checkpoint are one append at the revision of the state. A process that ends before the
   * append has signed nothing that anyone saw; one that ends after it finds its checkpoint.
   * @throws FootnoteError `audit_trail_altered` if the trail does not contain its last checkpoint.
   */
  async sign(tenantId: string, context: CommandContext): Promise<Signing> {
    return this.run(tenantId, context, (state) => this.decide(tenantId, state));
  }

  /** Makes a new key the one that signs; earlier keys still verify earlier checkpoints. */
  async rotate(tenantId: string, context: CommandContext): Promise<Signing> {
    const data = await this.dependencies.keys.create(tenantId);
    return this.run(tenantId, context, (state) =>
      auditCheckpointDecider.decide({ type: 'UseAuditKey', data }, state),
    );
  }

  /** Records the answer of a keeper; nothing happens if a newer checkpoint was signed. */
  async record(
    tenantId: string,
    context: CommandContext,
    command: AuditCheckpointCommand,
  ): Promise<Signing> {
    return this.run(tenantId, context, (state) => auditCheckpointDecider.decide(command, state));
  }

  private async run(
    tenantId: string,
    context: CommandContext,
    decide: (
      state: AuditCheckpointState,
    ) => readonly AuditCheckpointEvent[] | Promise<readonly AuditCheckpointEvent[]>,
  ): Promise<Signing> {
    const { store, clock, states } = this.dependencies;
    const { evolver, store: reading } = continuing(store, await states.of(tenantId));
    return handleCommand({
      store: {
        read: (stream, options) => reading.read(stream, options),
        append: (stream, events, expected) => store.append(stream, events, expected),
      },
      decider: evolver,
      stream: checkpointStream(tenantId),
      expected: 'any',
      decide,
      context,
      clock,
    });
  }

  private async decide(
    tenantId: string,
    state: AuditCheckpointState,
  ): Promise<readonly AuditCheckpointEvent[]> {
    const { trees, keys, witnesses } = this.dependencies;
    const { last } = state;
    const tree = await trees.newest(tenantId, last?.size);
    if (last) await this.requireSameHistory(tenantId, last, tree);
    if (last && !(await this.grew(tenantId, last.size))) return [];
    const created = state.key
      ? []
      : auditCheckpointDecider.decide(
          { type: 'UseAuditKey', data: await keys.create(tenantId) },
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
      checkpoint: signCheckpoint(head, [await keys.open(ready.key)]),
    };
    const command = { type: 'SignCheckpoint', data, witnesses } as const;
    return [...created, ...auditCheckpointDecider.decide(command, ready)];
  }

  /** Reports whether anything but keys, checkpoints and answers came since a checkpoint. */
  private async grew(tenantId: string, from: number): Promise<boolean> {
    let after = from - 1;
    for (;;) {
      const page = { filter: {}, order: 'asc', after, limit: PAGE } as const;
      const rows = await this.dependencies.readModel.ask(listAuditRecords, tenantId, page);
      if (rows.some(({ type }) => !Object.hasOwn(auditCheckpointStreams.events, type))) return true;
      if (rows.length < PAGE) return false;
      after += PAGE;
    }
  }

  private async requireSameHistory(
    tenantId: string,
    last: NonNullable<AuditCheckpointState['last']>,
    tree: TileTree,
  ): Promise<void> {
    const { trees } = this.dependencies;
    const root =
      last.size <= tree.size ? await trees.at(tenantId, last.size).rootIfComplete() : null;
    if (root?.toString('hex') === last.root) return;
    throw new FootnoteError(
      'audit_trail_altered',
      `The audit trail does not contain its checkpoint of ${last.size} records; nothing was signed`,
    );
  }
}
