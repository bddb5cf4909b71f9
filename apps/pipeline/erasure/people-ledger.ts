import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import type { Clock } from '#platform';

import type { Cause } from '../log/commands.js';

/** Event types that the ledger folds. */
export const PEOPLE_TYPES = [
  'UserRegistered',
  'MemberRemoved',
  'UserClosed',
  'AddressReleased',
] as const satisfies readonly DomainEvent['type'][];

/** Person who left, or whose tenant is erased, and whose erasure is not complete. */
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
  /** Time at which the leaving was seen, by the monotonic clock; null for members. */
  leftAt: number | null;
}

const NAME_STREAM = 'address-';

/** Line of a snapshot. */
type PersonLine = readonly [
  userId: string,
  cause: Cause,
  names: readonly string[],
  closed: boolean,
  left: boolean,
];

/** People whose accounts are not completely closed, folded from the log. */
export class PeopleLedger {
  /** People whose accounts were completely closed, with their tenant, since it was last emptied. */
  readonly gone = new Map<string, string>();
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

  /** Returns the lines of a snapshot. */
  *save(): Generator<PersonLine> {
    for (const { userId, cause, names, closed, leftAt } of this.people.values())
      yield [userId, cause, [...names], closed, leftAt !== null];
  }

  /** Adds a line that {@link save} returned. */
  load([userId, cause, names, closed, left]: PersonLine): void {
    const leftAt = left ? this.clock.monotonic() : null;
    this.people.set(userId, { userId, cause, names: new Set(names), closed, leftAt });
  }

  clear(): void {
    this.people.clear();
    this.gone.clear();
  }

  /**
   * Returns the people to erase: those of erased tenants, and those who left at least `graceMs`
   * ago. The request of the leaving needs that time for its own steps.
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
    this.gone.set(person.userId, person.cause.tenantId);
  }
}
