import { Inject, Injectable } from '@nestjs/common';

import type { Role } from '#contracts';
import { type ReadEvent, readEvent } from '#event-store';
import { pastRecords, type SealedMember } from '#read-model';

import { AuditedEvents } from '../audit/audited-events.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import type { Moment } from './moments.js';

const DEFINING = [
  'UserRegistered',
  'UserRenamed',
  'UserClosed',
  'MemberJoined',
  'MemberRoleChanged',
  'MemberRemoved',
] as const;

type DefiningEvent = ReadEvent<(typeof DEFINING)[number]>;

type Person = Omit<SealedMember, 'role'> & { readonly role: Role | null };

/** Returns members as they were at a moment. What erasure made unreadable stays unreadable. */
@Injectable()
export class PastMembers {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly events: AuditedEvents,
  ) {}

  /** Returns all members of the tenant, newest first; personal fields are sealed. */
  async list(tenantId: string, { seq }: Moment): Promise<SealedMember[]> {
    if (seq === null) return [];
    const records = await this.readModel.ask(pastRecords, tenantId, { seq, types: DEFINING });
    const people = new Map<string, Person>();
    for (const { event: recorded } of await this.events.of(records)) {
      const event = readEvent(recorded);
      if (!event || !isDefining(event)) continue;
      const { user_id } = event.data;
      const person = evolve(people.get(user_id), event);
      if (person) people.set(user_id, person);
      else people.delete(user_id);
    }
    return [...people.values()]
      .flatMap(({ role, ...person }) => (role === null ? [] : [{ ...person, role }]))
      .reverse();
  }
}

function isDefining(event: ReadEvent): event is DefiningEvent {
  return DEFINING.some((type) => type === event.type);
}

function evolve(person: Person | undefined, event: DefiningEvent): Person | undefined {
  switch (event.type) {
    case 'UserRegistered': {
      const { user_id, address, display_name } = event.data;
      const created_at = event.occurred_at;
      return person ?? { user_id, address, display_name, created_at, role: null };
    }
    case 'UserRenamed':
      return person && { ...person, display_name: event.data.display_name };
    case 'MemberJoined':
      return person && { ...person, role: person.role ?? event.data.role };
    case 'MemberRoleChanged':
      return person && { ...person, role: event.data.role };
    case 'MemberRemoved':
      return person && { ...person, role: null };
    case 'UserClosed':
      return undefined;
  }
}
