import { Injectable } from '@nestjs/common';

import type { Role } from '#contracts';
import type { ReadEvent } from '#event-store';
import { listMembersOfTenants } from '#read-model';

import { InMemoryMap } from '../in-memory/in-memory-map.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/** A member of a tenant as sessions see them. */
export interface KnownUser {
  readonly tenantId: string;
  readonly role: Role;
  /** Sessions of an earlier epoch have ended. */
  readonly epoch: number;
}

interface Kept extends KnownUser {
  /**
   * Sessions that were ended before their time, and when they would have ended, milliseconds since
   * the epoch.
   */
  readonly ended: Map<string, number>;
}

const TYPES = [
  'MemberJoined',
  'MemberRoleChanged',
  'MemberRemoved',
  'UserPasswordChanged',
  'UserSessionsRevoked',
  'UserClosed',
  'SessionEnded',
] as const;

/**
 * The members of every tenant and the ends of their sessions. Every process checks a session
 * without an engine, and within a second of a change.
 */
@Injectable()
export class KnownUsers {
  private readonly byId;
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.byId = new InMemoryMap(projections, {
      name: 'users',
      types: TYPES,
      from: { projection: 'users', query: listMembersOfTenants },
      add: (row, known: Map<string, Kept>) => {
        const ended = new Map(
          row.ended_sessions.map(({ id, ends_at }) => [id, Date.parse(ends_at)]),
        );
        const { tenant_id: tenantId, role, session_epoch: epoch } = row;
        known.set(row.user_id, { tenantId, role, epoch, ended });
      },
      apply,
    });
    this.projection = this.byId.projection;
  }

  get ready(): boolean {
    return this.projection.ready;
  }

  /** Returns null for people who are not members of any tenant. */
  find(userId: string): KnownUser | null {
    return this.byId.get(userId) ?? null;
  }

  /**
   * Returns whether a session was ended, by itself or with others of its epoch, or the person is no
   * member any more.
   */
  hasEnded(userId: string, session: { readonly id: string; readonly epoch: number }): boolean {
    const user = this.byId.get(userId);
    return !user || session.epoch < user.epoch || user.ended.has(session.id);
  }
}

function apply(event: ReadEvent<(typeof TYPES)[number]>, known: Map<string, Kept>): void {
  switch (event.type) {
    case 'MemberJoined': {
      const { user_id, role } = event.data;
      if (known.has(user_id)) return;
      known.set(user_id, {
        tenantId: event.tenant_id,
        role,
        epoch: 1,
        ended: new Map(),
      });
      return;
    }
    case 'MemberRoleChanged':
      change(known, event.data.user_id, (user) => ({ ...user, role: event.data.role }));
      return;
    case 'UserPasswordChanged':
    case 'UserSessionsRevoked': {
      const { user_id, session_epoch: epoch } = event.data;
      change(known, user_id, (user) =>
        epoch > user.epoch ? { ...user, epoch, ended: new Map() } : user,
      );
      return;
    }
    case 'SessionEnded': {
      const { user_id, session_id, ends_at } = event.data;
      const now = Date.parse(event.occurred_at);
      const ended = known.get(user_id)?.ended;
      for (const [id, until] of ended ?? []) if (until <= now) ended?.delete(id);
      ended?.set(session_id, Date.parse(ends_at));
      return;
    }
    case 'MemberRemoved':
    case 'UserClosed':
      known.delete(event.data.user_id);
      return;
    default:
  }
}

function change(known: Map<string, Kept>, userId: string, to: (user: Kept) => Kept): void {
  const user = known.get(userId);
  if (user) known.set(userId, to(user));
}
