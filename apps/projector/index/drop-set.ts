import type { Position } from '#contracts';
import { type EventStore, readEvent } from '#event-store';

import type { ProjectedEvent } from '../runner/projection.js';

const DROPS = ['GenerationDropped', 'SourceRemoved'] as const;

/**
 * Generations that the log says are gone, known ahead of the events that load them: survivors alone
 * are loaded.
 */
export class DropSet {
  private readonly generations = new Set<string>();
  private readonly sources = new Set<string>();

  /** Reads what the log drops after a position, up to its present end. */
  async scan(eventStore: EventStore, after: Position | null, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const deliveries = eventStore.subscribe({
      after: after ?? 'start',
      filter: { types: DROPS },
      signal: AbortSignal.any([signal, ended.signal]),
    });
    for await (const delivery of deliveries) {
      if (delivery.kind === 'caught-up') break;
      if (delivery.kind !== 'event') continue;
      const event = readEvent(delivery.event);
      if (event) this.note(event);
    }
    ended.abort();
  }

  note(event: ProjectedEvent): void {
    const { tenant_id } = event;
    if (event.type === 'SourceRemoved') this.sources.add(`${tenant_id}/${event.data.source_id}`);
    if (event.type === 'GenerationDropped') {
      this.generations.add(`${tenant_id}/${event.data.source_id}/${event.data.generation}`);
    }
  }

  has(tenantId: string, sourceId: string, generation: number): boolean {
    const source = `${tenantId}/${sourceId}`;
    return this.sources.has(source) || this.generations.has(`${source}/${generation}`);
  }
}
