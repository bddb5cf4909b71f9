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
    const known = await this.fold(tenantId, this.known.get(tenantId) ?? NOTHING);
    this.known.set(tenantId, known);
    return known;
  }

  /** Returns the keys of a tenant in the form that verifies notes. */
  async verifiers(tenantId: string): Promise<readonly NoteKey[]> {
    const { keys } = await this.of(tenantId);
    return keys.map(({ key }) => parseVerifierKey(key)).filter((key) => key !== null);
  }

  /** Folds what came after a state, or the whole stream if its last event is another one now. */
  private async fold(tenantId: string, from: KnownCheckpoints): Promise<KnownCheckpoints> {
    const keys = [...from.keys];
    let { lastId } = from;
    let isSameLog = from.revision === 'none';
    const { evolver, store } = continuing(this.store, from);
    const folded = await foldStream(store, evolver, checkpointStream(tenantId), {
      onEvent: (event, { revision }) => {
        const isLastKnown = event.id === from.lastId;
        if (isLastKnown && revision === from.revision) isSameLog = true;
        lastId = event.id;
        if (isLastKnown || (event.type !== 'AuditKeyCreated' && event.type !== 'AuditKeyRotated'))
          return;
        const { key_id: id, key } = event.data;
        keys.push({ id, key, createdAt: event.metadata.occurred_at });
      },
    });
    return isSameLog ? { ...folded, keys, lastId } : this.fold(tenantId, NOTHING);
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
