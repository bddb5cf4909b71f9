import type { Actor } from '#contracts';
import { type AuditCheckpointState, witnessAnswer } from '#domain';
import { commandContext, type RecordedDomainEvent } from '#event-store';
import { backOffMs, type Clock, type Logger } from '#platform';
import type { CheckpointKeeper, HeadSigner } from '#transparency';

import { foldState } from '../reactor/fold-state.js';
import type { Reactor, ReactorRun } from '../reactor/reactor.types.js';
import { NEWEST_TYPES, NewestCheckpoints } from './newest-checkpoints.js';

export interface CheckpointDeliveryDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signer: Pick<HeadSigner, 'record'>;
  /** Places that get every newest checkpoint. */
  readonly keepers: readonly CheckpointKeeper[];
}

const ACTOR: Actor = Object.freeze({ type: 'system', id: 'audit-checkpoints' });
/** Checkpoints that one run hands to one keeper. */
const PER_RUN = 100;
/** Pause after a failure of a keeper. */
const RETRIES = { firstMs: 5_000, longestMs: 300_000, jitter: 0.2 };
/** Pause before a keeper is asked again about a checkpoint that it refused. */
const REFUSED_MS = 60_000;

/** Progress with one keeper. */
interface Progress {
  failures: number;
  /** Time of the next attempt by the monotonic clock. */
  nextAt: number;
  /** Times of the next questions about refused checkpoints, by tenant. */
  readonly refusedUntil: Map<string, number>;
}

/**
 * Hands the newest checkpoint of each tenant to keepers outside, and records their answers. A
 * process that ends before the record hands it over again, which changes nothing. Keepers work
 * side by side, so a slow one delays no other. If a keeper is away for long, it gets only the
 * newest checkpoint, which proves all earlier records too.
 */
export class CheckpointDelivery implements Reactor {
  readonly name = 'audit-copies';
  readonly eventTypes = NEWEST_TYPES;
  readonly intervalMs = 2_000;
  private readonly newest = new NewestCheckpoints();
  readonly state = foldState(1, this.newest);
  private readonly progress = new Map<CheckpointKeeper, Progress>();

  constructor(private readonly dependencies: CheckpointDeliveryDependencies) {
    for (const keeper of dependencies.keepers)
      this.progress.set(keeper, { failures: 0, nextAt: -Infinity, refusedUntil: new Map() });
  }

  /** Returns tenants whose last checkpoint a keeper refused. */
  get refused(): readonly string[] {
    const names = this.dependencies.keepers.map(({ name }) => name);
    return [...this.newest.entries()]
      .filter(([, state]) => names.some((name) => witnessAnswer(state, name).refused))
      .map(([tenantId]) => tenantId);
  }

  /** Names of keepers whose last answer was a failure. */
  get failingKeepers(): readonly string[] {
    return [...this.progress].filter(([, { failures }]) => failures > 0).map(([{ name }]) => name);
  }

  /** Number of tenants whose newest checkpoint a keeper does not have. */
  get uncopied(): number {
    const { keepers } = this.dependencies;
    let count = 0;
    for (const [, state] of this.newest.entries())
      if (keepers.some((keeper) => !keeper.isDone(state))) count += 1;
    return count;
  }

  apply(event: RecordedDomainEvent): boolean {
    this.newest.apply(event);
    return event.type === 'CheckpointSigned' && this.progress.size > 0;
  }

  async run({ signal }: Pick<ReactorRun, 'signal'>): Promise<void> {
    await Promise.all(
      [...this.progress].map(([keeper, progress]) => this.handOver(keeper, progress, signal)),
    );
  }

  private async handOver(
    keeper: CheckpointKeeper,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger } = this.dependencies;
    if (progress.nextAt > clock.monotonic()) return;
    try {
      for (const [tenantId, state] of this.due(keeper, progress)) {
        if (signal.aborted) return;
        await this.keep(keeper, progress, tenantId, state);
        progress.failures = 0;
      }
      progress.failures = 0;
    } catch (error) {
      progress.failures += 1;
      const pause = Math.round(backOffMs(RETRIES, progress.failures));
      progress.nextAt = clock.monotonic() + pause;
      logger.warn(
        { err: error, keeper: keeper.name, retry_in_ms: pause },
        'reactor audit-copies: a checkpoint could not be handed over; retrying',
      );
    }
  }

  /** Returns tenants whose newest checkpoint the keeper does not have. */
  private due(keeper: CheckpointKeeper, { refusedUntil }: Progress) {
    const now = this.dependencies.clock.monotonic();
    const due: (readonly [string, AuditCheckpointState])[] = [];
    for (const entry of this.newest.entries()) {
      const [tenantId, state] = entry;
      if (keeper.isDone(state) || (refusedUntil.get(tenantId) ?? -Infinity) > now) continue;
      if (due.push(entry) === PER_RUN) break;
    }
    return due;
  }

  private async keep(
    keeper: CheckpointKeeper,
    { refusedUntil }: Progress,
    tenantId: string,
    state: AuditCheckpointState,
  ): Promise<void> {
    const { clock, logger, signer } = this.dependencies;
    if (!state.last) return;
    const command = await keeper.keep(state.last, state);
    refusedUntil.delete(tenantId);
    if (command.type === 'RecordRefusal') {
      refusedUntil.set(tenantId, clock.monotonic() + REFUSED_MS);
      logger.error(
        { tenant_id: tenantId, keeper: keeper.name, reason: command.data.reason },
        'reactor audit-copies: a witness saw another history; signing nothing until it cosigns',
      );
    }
    const context = commandContext(clock, { tenant_id: tenantId, actor: ACTOR });
    await signer.record(tenantId, context, command);
  }
}
