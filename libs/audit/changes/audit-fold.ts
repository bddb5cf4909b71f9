import { type DomainEvent, eventDefinition, type JsonObject, liftEvent } from '#contracts';

import { type FieldChange, fieldChanges } from './field-changes.js';
import { STREAM_VIEWS } from './stream-view.js';

/**
 * The parts of an event that the fold reads: as it is stored, or its audited data, never upcast.
 */
export interface FoldableEvent {
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly schema_version: number;
  readonly data: JsonObject;
}

interface FoldedState {
  readonly state: unknown;
  /** Revision of the event that follows. */
  readonly next: number;
}

/** Number of streams that a fold holds; a source may take 100 KB. */
const DEFAULT_FOLDED_STREAMS = 10_000;

/**
 * Folds streams by the domain's own rules, to know the state before each event. It holds a bounded
 * number of streams and drops the one that changed longest ago.
 */
export class AuditFold {
  private readonly streams = new Map<string, FoldedState>();

  /** @param maxStreams maximum number of streams to hold. */
  constructor(private readonly maxStreams = DEFAULT_FOLDED_STREAMS) {}

  /** Returns a fold with the same states that continues on its own. */
  copy(): AuditFold {
    const copy = new AuditFold(this.maxStreams);
    for (const [stream, state] of this.streams) copy.streams.set(stream, state);
    return copy;
  }

  /**
   * Returns the revision to continue a stream from, to know the state before a later revision: 0
   * if the state is not kept.
   */
  nextOf(stream: string, revision: number): number {
    const next = this.streams.get(stream)?.next ?? 0;
    return next <= revision ? next : 0;
  }

  /**
   * Returns what an event changes, and none for an event that changes no field. Returns null when
   * the state before it is not known: pass the events of its stream from revision 0 first.
   */
  apply(event: FoldableEvent): readonly FieldChange[] | null {
    const { stream, revision } = event;
    const view = STREAM_VIEWS.get(stream.slice(0, stream.indexOf('-')));
    if (!view) return [];
    const known = revision === 0 ? { state: view.initial, next: 0 } : this.streams.get(stream);
    this.streams.delete(stream);
    if (known?.next !== revision) return null;
    try {
      const current = currentEvent(event);
      const state = current ? view.evolve(known.state, current, BigInt(revision)) : known.state;
      const before = view.fields(known.state, event.data);
      const changes = fieldChanges(before, view.fields(state, event.data));
      this.keep(stream, { state, next: revision + 1 });
      return changes;
    } catch {
      // Data that does not fit its type has no state after it.
      return null;
    }
  }

  private keep(stream: string, state: FoldedState): void {
    this.streams.set(stream, state);
    if (this.streams.size <= this.maxStreams) return;
    const [oldest] = this.streams.keys();
    if (oldest !== undefined) this.streams.delete(oldest);
  }
}

/**
 * Returns the event at the current version of its type; undefined for a type that this version does
 * not know. @throws Error for a version that it does not know.
 */
function currentEvent({ type, schema_version, data }: FoldableEvent): DomainEvent | undefined {
  const definition = eventDefinition(type);
  if (!definition) return undefined;
  const lifted = liftEvent(definition, schema_version, data);
  if (lifted.data === undefined) throw new Error(`${type}: ${lifted.problem}`);
  return { type, data: lifted.data } as DomainEvent;
}
