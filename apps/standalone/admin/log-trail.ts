import { auditChanges } from '#apps/projector/audit/audit-changes';
import { type AuditRecord, auditRecord, ConsistencyProver, NdjsonEncoder, NO_LEAF } from '#audit';
import { EVENT_DEFINITIONS, type RecordedEvent } from '#contracts';
import type { EventStore } from '#event-store';
import { TimeSlices } from '#platform';
import { CheckpointHistory } from '#transparency';

/** Characters that are encoded before they leave as one chunk. */
const CHUNK = 64 * 1024;

/** The extent of an export that was read from the log. */
export interface LogTrailSummary {
  readonly records: number;
  /** Root of the tree, hex. */
  readonly root: string;
  /** Size of the tree that the newest signed checkpoint covers; null without one. */
  readonly checkpoint_size: number | null;
}

/**
 * Exports the trail of a tenant from the log alone: no read model, no key ring. So it also exports
 * erased tenants. Names of people are null, which no hash covers.
 */
export class LogTrail {
  constructor(private readonly store: EventStore) {}

  /**
   * Returns the chunks of a complete export up to the newest event of the log now.
   * @param onEnd called before the last chunk.
   * @throws RangeError if the log has fewer records than its newest signed checkpoint.
   */
  async *chunks(tenantId: string, onEnd: (summary: LogTrailSummary) => void) {
    const { store } = this;
    const checkpoint = await new CheckpointHistory(store).newest(tenantId);
    const prover = new ConsistencyProver(checkpoint?.size ?? 0);
    const encoder = new NdjsonEncoder();
    const slices = new TimeSlices();
    let text = '';
    for await (const record of this.records(tenantId)) {
      prover.append(Buffer.from(record.hash, 'hex'));
      text += encoder.record(record);
      if (text.length >= CHUNK) {
        yield Buffer.from(text);
        text = '';
      }
      await slices.pause();
    }
    if (checkpoint && checkpoint.size > encoder.size) {
      const message = `The log has ${encoder.size} records of the tenant, and a checkpoint of ${checkpoint.size}`;
      throw new RangeError(message);
    }
    const proof = checkpoint ? await prover.proof() : [];
    onEnd({
      records: encoder.size,
      root: encoder.root().toString('hex'),
      checkpoint_size: checkpoint?.size ?? null,
    });
    text += encoder.end({
      tenant_id: tenantId,
      filters: {},
      checkpoint: checkpoint?.checkpoint ?? null,
      consistency: proof.map((hash) => hash.toString('hex')),
    });
    yield Buffer.from(text);
  }

  /** Returns the records in the order of seq, as the projection numbers and hashes them. */
  private async *records(tenantId: string): AsyncGenerator<AuditRecord, void> {
    const changes = auditChanges(this.store);
    let prevHash = NO_LEAF;
    let recordedAt = new Date(0);
    let seq = 0;
    for await (const event of this.events(tenantId)) {
      if (event.recordedAt > recordedAt) recordedAt = event.recordedAt;
      const place = { seq, prevHash, changes: (await changes.of(event)) ?? [] };
      const record = auditRecord({ ...event, recordedAt }, place);
      seq += 1;
      prevHash = record.hash;
      yield record;
    }
  }

  private async *events(tenantId: string): AsyncGenerator<RecordedEvent, void> {
    const head = await this.store.head();
    const ended = new AbortController();
    const filter = { types: EVENT_DEFINITIONS.map(({ type }) => type) };
    const options = { after: 'start', filter, signal: ended.signal } as const;
    try {
      for await (const delivery of this.store.subscribe(options)) {
        if (delivery.kind === 'caught-up' || head === null) return;
        const isEvent = delivery.kind === 'event';
        const position = isEvent ? delivery.event.position : delivery.position;
        if (position > head) return;
        if (isEvent && delivery.event.metadata.tenant_id === tenantId) yield delivery.event;
      }
    } finally {
      ended.abort();
    }
  }
}
