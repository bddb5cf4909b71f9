import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import type { Clock } from '#platform';

import type { Cause } from '../log/commands.js';

/** The event types that the ledger folds. */
export const PEOPLE_TYPES = [
  'UserRegistered',
  'MemberRemoved',
  'UserClosed',
  'AddressReleased',
] as const satisfies readonly DomainEvent['type'][];

/** Somebody who left, or whose tenant is erased, and who is not erased yet. */
export interface LeavingPerson {
  readonly userId: string;
  readonly cause: Cause;
  /** Fingerprints of the sign-in names that are still reserved for the person. */
  readonly names: ReadonlySet<string>;
}

interface Person extends LeavingPerson {
  readonly names: Set<string>;
  cause: Cause;
  closed: boolean;
  /** When it was seen that the person leaves, by the monotonic clock; null while he stays. */
  leftAt: number | null;
}

const NAME_STREAM = 'address-';

/** People whose accounts are not wholly closed, folded from the start of the log. */
export class PeopleLedger {
  /** Whose accounts are wholly closed since this was last asked. */
  readonly gone = new Set<string>();
  private readonly people = new Map<string, Person>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  apply(event: RecordedDomainEvent): void {
    const { metadata, id } = event;
    const cause = {
      tenantId: metadata.tenant_id,
      correlationId: metadata.correlation_id,
      causationId: id,
    };
    switch (event.type) {
      case 'UserRegistered': {
        const { user_id: userId, fingerprints } = event.data;
        if (this.people.has(userId)) return;
        this.people.set(userId, {
          userId,
          cause,
          names: new Set(fingerprints),
          closed: false,
          leftAt: null,
        });
        return;
      }
      case 'MemberRemoved':
      case 'UserClosed': {
        const person = this.people.get(event.data.user_id);
        if (!person) return;
        person.cause = cause;
        person.closed ||= event.type === 'UserClosed';
        person.leftAt ??= this.clock.monotonic();
        return this.settle(person);
      }
      case 'AddressReleased': {
        const person = this.people.get(event.data.user_id);
        person?.names.delete(event.stream.slice(NAME_STREAM.length));
        if (person) this.settle(person);
        return;
      }
      default:
        return;
    }
  }

  /**
   * Who is to be erased: people of erased tenants, and those who left. What a request does about
   * them by itself, it has done after `graceMs`.
   */
  due(isErased: (tenantId: string) => boolean, graceMs: number): LeavingPerson[] {
    const until = this.clock.monotonic() - graceMs;
    return [...this.people.values()].filter(
      ({ leftAt, cause }) => isErased(cause.tenantId) || (leftAt !== null && leftAt <= until),
    );
  }

  hasAny(tenantId: string): boolean {
    for (const { cause } of this.people.values()) if (cause.tenantId === tenantId) return true;
    return false;
  }

  private settle(person: Person): void {
    if (!person.closed || person.names.size > 0) return;
    this.people.delete(person.userId);
    this.gone.add(person.userId);
  }
}
