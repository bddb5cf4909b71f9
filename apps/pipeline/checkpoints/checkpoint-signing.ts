import type { Actor } from '#contracts';
import { FootnoteError } from '#contracts';
import { commandContext, type RecordedDomainEvent } from '#event-store';
import type { Clock, Logger } from '#platform';
import type { HeadSigner } from '#transparency';

import { foldState } from '../reactor/fold-state.js';
import type { Reactor, ReactorRun } from '../reactor/reactor.types.js';
import { type LastSigning, SIGNING_TYPES, SigningSchedule } from './signing-schedule.js';

export interface CheckpointSigningDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signer: Pick<HeadSigner, 'sign'>;
  /** Returns how many records the trails of some tenants have, by tenant. */
  readonly trailSizes: (tenantIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Time between two checkpoints of a tenant, milliseconds; 0 signs only on request. */
  readonly everyMs: number;
}

/** The next look at a tenant. */
interface NextLook {
  /** Time by the monotonic clock. */
  readonly at: number;
  /** Size at which nothing was to be signed; null after a failure. */
  readonly size: number | null;
}

const ACTOR: Actor = Object.freeze({ type: 'system', id: 'audit-checkpoints' });
/** Tenants whose sizes one run reads. */
const TENANTS_PER_RUN = 500;
/** Checkpoints signed by one run. */
const SIGNINGS_PER_RUN = 20;
/** Pause before a tenant without new records, or after a failure, is looked at again. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Signs the head of each tenant's tree at an interval, if it grew. Two processes that sign at once
 * append at the same revision, so one of them finds the checkpoint of the other.
 */
export class CheckpointSigning implements Reactor {
  readonly name = 'audit-checkpoints';
  readonly eventTypes = SIGNING_TYPES;
  readonly intervalMs = 10_000;
  private readonly schedule = new SigningSchedule();
  readonly state = foldState(1, this.schedule);
  private readonly looks = new Map<string, NextLook>();
  private readonly refused = new Set<string>();

  constructor(private readonly dependencies: CheckpointSigningDependencies) {}

  /** Tenants whose trail does not match its checkpoints, so that nothing is signed. */
  get altered(): ReadonlySet<string> {
    return this.refused;
  }

  /** Tenants whose last signing failed for another reason, so that it is retried. */
  get failing(): ReadonlySet<string> {
    const failing = [...this.looks].filter(
      ([id, { size }]) => size === null && !this.refused.has(id),
    );
    return new Set(failing.map(([tenantId]) => tenantId));
  }

  /** Returns the last checkpoint of each tenant that is signed for. */
  lastCheckpoints(): Iterable<readonly [tenantId: string, last: LastSigning]> {
    return this.schedule.save();
  }

  apply(event: RecordedDomainEvent): boolean {
    this.schedule.apply(event);
    const { tenant_id } = event.metadata;
    this.looks.delete(tenant_id);
    if (event.type !== 'TenantCreated') this.refused.delete(tenant_id);
    return false;
  }

  async run({ signal }: Pick<ReactorRun, 'signal'>): Promise<void> {
    const due = this.due();
    if (due.length === 0) return;
    const sizes = await this.dependencies.trailSizes(due);
    let signings = 0;
    for (const tenantId of due) {
      if (signal.aborted || signings === SIGNINGS_PER_RUN) return;
      const size = sizes.get(tenantId) ?? 0;
      const last = this.schedule.lastOf(tenantId);
      if (!last) continue;
      if (size <= last.size || this.looks.get(tenantId)?.size === size) {
        this.lookAgain(tenantId, size);
        continue;
      }
      signings += 1;
      await this.sign(tenantId, size);
    }
  }

  private due(): readonly string[] {
    const { clock, everyMs } = this.dependencies;
    if (everyMs === 0) return [];
    const now = clock.monotonic();
    const due: string[] = [];
    for (const tenantId of this.schedule.dueAt(clock.now().getTime() - everyMs)) {
      if ((this.looks.get(tenantId)?.at ?? -Infinity) > now) continue;
      if (due.push(tenantId) === TENANTS_PER_RUN) break;
    }
    return due;
  }

  private async sign(tenantId: string, size: number): Promise<void> {
    const { clock, logger, signer } = this.dependencies;
    try {
      const context = commandContext(clock, { tenant_id: tenantId, actor: ACTOR });
      await signer.sign(tenantId, context);
      this.refused.delete(tenantId);
      this.lookAgain(tenantId, size);
    } catch (error) {
      this.lookAgain(tenantId, null);
      const isAltered = error instanceof FootnoteError && error.code === 'audit_trail_altered';
      if (isAltered) this.refused.add(tenantId);
      logger[isAltered ? 'error' : 'warn'](
        { err: error, tenant_id: tenantId, retry_in_ms: LOOK_AGAIN_MS },
        'reactor audit-checkpoints: a head could not be signed; retrying',
      );
    }
  }

  private lookAgain(tenantId: string, size: number | null): void {
    this.looks.set(tenantId, { at: this.dependencies.clock.monotonic() + LOOK_AGAIN_MS, size });
  }
}
