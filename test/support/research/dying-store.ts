import type { ProposedEvent, RoverStepKind } from '#contracts';
import type { EventStore } from '#event-store';

/**
 * Moments of a step at which a process dies. `started`: its start is stored, and the process never
 * learns it. `ending`: its end is not stored. `ended`: its end is stored, and the process never
 * learns it.
 */
export const DEATHS = ['started', 'ending', 'ended'] as const;

/**
 * The log of a process that dies in the first step of a kind. From then on no append to a rover job
 * arrives, so that the end of the process leaves nothing that a kill would not leave.
 */
export class DyingStore implements EventStore {
  isDead = false;
  private running: unknown;

  constructor(
    private readonly log: EventStore,
    private readonly kind: RoverStepKind,
    private readonly moment: (typeof DEATHS)[number],
  ) {}

  get deliveryVersion(): number {
    return this.log.deliveryVersion;
  }

  async append(...given: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    const [stream, events] = given;
    if (!stream.startsWith('rover-')) return this.log.append(...given);
    const step = this.isDead ? 'none' : this.stepOf(events);
    if (this.isDead || (step === 'ends' && this.moment === 'ending')) this.die();
    const result = await this.log.append(...given);
    if (step === 'starts' && this.moment === 'started') this.die();
    if (step === 'ends' && this.moment === 'ended') this.die();
    return result;
  }

  read(...given: Parameters<EventStore['read']>): ReturnType<EventStore['read']> {
    return this.log.read(...given);
  }

  subscribe(...given: Parameters<EventStore['subscribe']>): ReturnType<EventStore['subscribe']> {
    return this.log.subscribe(...given);
  }

  head(): ReturnType<EventStore['head']> {
    return this.log.head();
  }

  reaches(...given: Parameters<EventStore['reaches']>): ReturnType<EventStore['reaches']> {
    return this.log.reaches(...given);
  }

  close(): Promise<void> {
    return this.log.close();
  }

  /** Returns whether an append starts or ends a step of the kind. */
  private stepOf(events: readonly ProposedEvent[]): 'starts' | 'ends' | 'none' {
    for (const { type, data } of events) {
      if (type === 'RoverStepStarted') {
        this.running = data['kind'];
        if (this.running === this.kind) return 'starts';
      }
      if (type === 'RoverStepCompleted' && this.running === this.kind) return 'ends';
    }
    return 'none';
  }

  private die(): never {
    this.isDead = true;
    throw new Error('The process was killed');
  }
}
