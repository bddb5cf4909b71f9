import { LRUCache } from 'lru-cache';

import { type NoteKey, parseVerifierKey } from '#audit';
import type { AuditCheckpointEvent, StreamName } from '#contracts';
import { auditCheckpointDecider, type AuditCheckpointState } from '#domain';
import { type EventStore, type Evolver, type FoldedStream, foldStream } from '#event-store';

/** A public key of a tenant. */
interface PublishedKey {
  readonly id: string;
  /** `<origin>+<id>+<base64>` */
  readonly key: string;
  readonly createdAt: string;
}

/** The folded stream of checkpoints of one tenant. */
export interface KnownCheckpoints extends FoldedStream<AuditCheckpointState> {
  /** Public keys, the oldest first. */
  readonly keys: readonly PublishedKey[];
  /** Id of the last event; null for a stream without events. */
  readonly lastId: string | null;
}

/** Tenants whose state stays in memory. */
const MAX_TENANTS = 1_000;

const NOTHING: KnownCheckpoints = {
  state: auditCheckpointDecider.initial,
  revision: 'none',
  position: null,
  keys: [],
  lastId: null,
};

/**
 * States of the streams of checkpoints. A stream gets an event an hour, so it is folded once; later
 * calls read what came since. The last known event is read again: if the log has another one there,
 * the stream is folded from its start.
 */
export class CheckpointStates {
  private readonly known = new LRUCache<string, KnownCheckpoints>({ max: MAX_TENANTS });

  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  /** Returns the newest state that the log has. */
  async of(tenantId: string): Promise<KnownCheckpoints> {
    const before = this.known.get(tenantId);
    const known =
      (before && (await this.continued(tenantId, before))) ?? (await this.fold(tenantId, NOTHING));
    this.known.set(tenantId, known);
    return known;
  }

  /** Returns the keys of a tenant in the form that verifies notes. */
  async verifiers(tenantId: string): Promise<readonly NoteKey[]> {
    const { keys } = await this.of(tenantId);
    return keys.map(({ key }) => parseVerifierKey(key)).filter((key) => key !== null);
  }

  /** @returns null if the log does not have the last known event any more. */
  private async continued(
    tenantId: string,
    known: KnownCheckpoints,
  ): Promise<KnownCheckpoints | null> {
    if (known.revision === 'none') return null;
    const options = { from: known.revision, limit: 1 };
    for await (const { id } of this.store.read(checkpointStream(tenantId), options))
      if (id === known.lastId) return this.fold(tenantId, known);
    return null;
  }

  private async fold(tenantId: string, from: KnownCheckpoints): Promise<KnownCheckpoints> {
    const keys = [...from.keys];
    let { lastId } = from;
    const { evolver, store } = continuing(this.store, from);
    const folded = await foldStream(store, evolver, checkpointStream(tenantId), {
      onEvent: (event) => {
        const isNew = event.id !== from.lastId;
        lastId = event.id;
        if (!isNew || (event.type !== 'AuditKeyCreated' && event.type !== 'AuditKeyRotated'))
          return;
        const { key_id: id, key } = event.data;
        keys.push({ id, key, createdAt: event.metadata.occurred_at });
      },
    });
    return { ...folded, keys, lastId };
  }
}

/** Returns the stream of a tenant's checkpoints. */
export function checkpointStream(tenantId: string): StreamName {
  return `checkpoint-${tenantId}`;
}

/**
 * Returns what continues the fold of a stream at a known state. The last known event is read twice,
 * which changes nothing: its revision is what an append expects.
 */
export function continuing(
  store: Pick<EventStore, 'read'>,
  { state, revision }: FoldedStream<AuditCheckpointState>,
): {
  readonly evolver: Evolver<AuditCheckpointState, AuditCheckpointEvent>;
  readonly store: Pick<EventStore, 'read'>;
} {
  const from = revision === 'none' ? {} : { from: revision };
  return {
    evolver: { ...auditCheckpointDecider, initial: state },
    store: { read: (stream, options) => store.read(stream, { ...options, ...from }) },
  };
}
