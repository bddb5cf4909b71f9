import { FootnoteError } from '#contracts';
import type { EventStore, SubscribeOptions, SubscriptionDelivery } from '#event-store';
import { aborted } from '#platform';

/**
 * An event store between a process and its log, with a network that can break. `stalled`: open
 * subscriptions deliver nothing more, as through a black hole, while everything else works. `away`:
 * nothing answers at all.
 */
export class CutOffStore implements EventStore {
  private state: 'open' | 'stalled' | 'away' = 'open';
  private repaired = Promise.withResolvers<void>();

  constructor(private readonly log: EventStore) {}

  cut(state: 'stalled' | 'away'): void {
    this.state = state;
    this.repaired = Promise.withResolvers();
  }

  repair(): void {
    this.state = 'open';
    this.repaired.resolve();
  }

  get deliveryVersion(): number {
    return this.log.deliveryVersion;
  }

  async append(...given: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    this.refuse();
    return this.log.append(...given);
  }

  async *read(...given: Parameters<EventStore['read']>): ReturnType<EventStore['read']> {
    this.refuse();
    yield* this.log.read(...given);
  }

  async *subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionDelivery> {
    this.refuse();
    const begunWhileOpen = this.state === 'open';
    for await (const delivery of this.log.subscribe(options)) {
      while (this.isSilent(begunWhileOpen) && !options.signal.aborted) {
        await Promise.race([this.repaired.promise, aborted(options.signal)]);
      }
      if (options.signal.aborted) return;
      yield delivery;
    }
  }

  async head(): ReturnType<EventStore['head']> {
    this.refuse();
    return this.log.head();
  }

  async reaches(...given: Parameters<EventStore['reaches']>): ReturnType<EventStore['reaches']> {
    this.refuse();
    return this.log.reaches(...given);
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private isSilent(begunWhileOpen: boolean): boolean {
    return this.state === 'away' || (this.state === 'stalled' && begunWhileOpen);
  }

  private refuse(): void {
    if (this.state === 'away')
      throw new FootnoteError('engine_unavailable', 'The event log is away');
  }
}
