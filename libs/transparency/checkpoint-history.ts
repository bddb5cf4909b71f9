import { addSignatures, parseCheckpoint, parseNoteSignature } from '#audit';
import type { StreamName } from '#contracts';
import { type EventStore, type RecordedDomainEvent, upcast } from '#event-store';

import { checkpointStream } from './checkpoint-states.js';

/** A signed head of a tenant's tree, as the log has it. */
export interface SignedHead {
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly signedAt: string;
  readonly keyId: string;
  /** Signed note, with the cosignatures of witnesses. */
  readonly checkpoint: string;
}

/**
 * Reads signed checkpoints from the log, so that a lost or altered read model does not change them.
 * Sizes grow along the stream, so a page costs a binary search, however long the stream is.
 */
export class CheckpointHistory {
  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  /** Returns up to `limit` checkpoints of trees smaller than `before`, the newest first. */
  async before(tenantId: string, before: number, limit: number): Promise<readonly SignedHead[]> {
    const stream = checkpointStream(tenantId);
    const end = Number.isFinite(before) ? await this.firstFrom(stream, before) : null;
    if (end === 0n) return [];
    const from = end === null ? {} : { from: end - 1n };
    const heads: SignedHead[] = [];
    let lines: string[] = [];
    for await (const recorded of this.store.read(stream, { ...from, backwards: true })) {
      if (heads.length === limit) break;
      const event = known(recorded);
      // A cosignature comes after its checkpoint and before the next one.
      if (event?.type === 'CheckpointCosigned') lines.unshift(event.data.cosignature);
      if (event?.type !== 'CheckpointSigned') continue;
      heads.push(headOf(event, lines));
      lines = [];
    }
    return heads;
  }

  /** Returns the newest checkpoint, or null. */
  async newest(tenantId: string): Promise<SignedHead | null> {
    const [head] = await this.before(tenantId, Infinity, 1);
    return head ?? null;
  }

  /** Visits checkpoints of trees larger than `from`, the oldest first, until a visit is false. */
  async after(
    tenantId: string,
    from: number,
    visit: (head: SignedHead) => Promise<boolean>,
  ): Promise<void> {
    const stream = checkpointStream(tenantId);
    const first = await this.firstFrom(stream, from + 1);
    if (first === null) return;
    for await (const recorded of this.store.read(stream, { from: first })) {
      const event = known(recorded);
      if (event?.type === 'CheckpointSigned' && !(await visit(headOf(event, [])))) return;
    }
  }

  /** Returns the lowest revision from which on all checkpoints have at least a size. */
  private async firstFrom(stream: StreamName, size: number): Promise<bigint | null> {
    let low = 0n;
    let high = await this.end(stream);
    if (high === 0n) return null;
    while (low < high) {
      const middle = (low + high) / 2n;
      const next = await this.nextCheckpoint(stream, middle);
      if (next && next.size < size) low = next.revision + 1n;
      else high = middle;
    }
    return low;
  }

  /** Returns the number of events of a stream. */
  private async end(stream: StreamName): Promise<bigint> {
    for await (const { revision } of this.store.read(stream, { backwards: true, limit: 1 }))
      return revision + 1n;
    return 0n;
  }

  private async nextCheckpoint(
    stream: StreamName,
    from: bigint,
  ): Promise<{ readonly revision: bigint; readonly size: number } | null> {
    for await (const recorded of this.store.read(stream, { from })) {
      const event = known(recorded);
      if (event?.type === 'CheckpointSigned')
        return { revision: recorded.revision, size: event.data.size };
    }
    return null;
  }
}

function known(recorded: Parameters<typeof upcast>[0]): RecordedDomainEvent | null {
  const read = upcast(recorded);
  return read.kind === 'known' ? read.event : null;
}

function headOf(
  { data, metadata }: Extract<RecordedDomainEvent, { type: 'CheckpointSigned' }>,
  cosignatures: readonly string[],
): SignedHead {
  const parsed = parseCheckpoint(data.checkpoint);
  const signatures = cosignatures.map(parseNoteSignature).filter((line) => line !== null);
  return {
    size: data.size,
    root: data.root,
    signedAt: metadata.occurred_at,
    keyId: data.key_id,
    checkpoint: parsed ? addSignatures(parsed, signatures) : data.checkpoint,
  };
}
