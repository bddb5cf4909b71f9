import { Inject, Injectable } from '@nestjs/common';

import type { ReadEvent } from '#event-store';
import { KEY_RING, type KeyRing, mapBounded, type Sealed } from '#platform';
import { listPushHooks } from '#read-model';

import { ErasedTenants } from '../auth/erased-tenants.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { hookSecretContext } from './hook-secret-seal.js';

/** Secrets that are opened at once after a start. */
const OPENED_AT_ONCE = 4;

/** A source that takes pushes. */
export interface KnownPushHook {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly hookId: string;
}

interface KeptHook extends KnownPushHook {
  readonly sealed: Sealed;
  /** The secret once it was opened; null where the key that sealed it is destroyed. */
  opened: Promise<string | null> | undefined;
}

const TYPES = ['SourceHookSet', 'SourceHookRemoved', 'SourceRemoved'] as const;

/**
 * The hooks of all sources that accept pushes. A delivery without a valid signature costs a memory
 * look-up and one HMAC, and reads neither the log nor an engine. Secrets are opened before the
 * first delivery, so that none takes longer than others.
 */
@Injectable()
export class KnownPushHooks {
  private readonly bySource = new Map<string, KeptHook>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    private readonly erased: ErasedTenants,
  ) {
    this.projection = projections.followRows({
      name: 'push-hooks',
      types: TYPES,
      from: { projection: 'sources', query: listPushHooks },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  get ready(): boolean {
    return this.projection.ready && this.erased.ready;
  }

  /** Returns null for unknown and malformed ids, and for sources that take no pushes. */
  find(sourceId: string): KnownPushHook | null {
    return this.kept(sourceId);
  }

  /**
   * Returns the secret of a source's hook; null as {@link find}, and where the key that sealed it
   * is destroyed.
   * @throws what the key ring throws while it is unavailable.
   */
  async secretOf(sourceId: string): Promise<string | null> {
    const hook = this.kept(sourceId);
    return hook === null ? null : this.open(hook);
  }

  private kept(sourceId: string): KeptHook | null {
    const hook = this.bySource.get(sourceId);
    return hook === undefined || this.erased.has(hook.tenantId) ? null : hook;
  }

  /** Opens a secret once. A failure is not cached: the next delivery tries again. */
  private open(hook: KeptHook): Promise<string | null> {
    hook.opened ??= this.keyRing
      .open(hook.tenantId, hookSecretContext(hook.sourceId, hook.hookId), hook.sealed)
      .catch((error: unknown) => {
        hook.opened = undefined;
        throw error;
      });
    return hook.opened;
  }

  private replace(hooks: Awaited<ReturnType<typeof listPushHooks>>): void {
    this.bySource.clear();
    for (const { tenant_id, source_id, hook } of hooks) this.put(tenant_id, source_id, hook);
    void this.openAll();
  }

  /**
   * Runs during the loading: a key ring that is unavailable delays no start. Deliveries open what
   * failed here.
   */
  private async openAll(): Promise<void> {
    const hooks = [...this.bySource.values()];
    const never = new AbortController().signal;
    await mapBounded(hooks, OPENED_AT_ONCE, never, (hook) => this.open(hook).catch(() => null));
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    if (event.type === 'SourceHookSet') {
      const hook = this.put(event.tenant_id, event.data.source_id, event.data);
      void this.open(hook).catch(() => null);
    } else if (event.type === 'SourceHookRemoved' || event.type === 'SourceRemoved') {
      this.bySource.delete(event.data.source_id);
    }
  }

  private put(
    tenantId: string,
    sourceId: string,
    hook: { hook_id: string; secret: string },
  ): KeptHook {
    const sealed = hook.secret as Sealed;
    const kept: KeptHook = { tenantId, sourceId, hookId: hook.hook_id, sealed, opened: undefined };
    this.bySource.set(sourceId, kept);
    return kept;
  }
}
