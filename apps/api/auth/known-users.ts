import { Injectable } from '@nestjs/common';

import type { Role } from '#contracts';
import type { ReadEvent } from '#event-store';
import { listMembersOfTenants } from '#read-model';

import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/** A member of a tenant as sessions see him. */
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
  private readonly byId = new Map<string, Kept>();
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.projection = projections.followRows({
      name: 'users',
      types: TYPES,
      from: { projection: 'users', query: listMembersOfTenants },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  get ready(): boolean {
    return this.projection.ready;
  }

  /** Null for who is no member of any tenant. */
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

  private replace(members: Awaited<ReturnType<typeof listMembersOfTenants>>): void {
    this.byId.clear();
    for (const { tenant_id, user_id, role, session_epoch, ended_sessions } of members) {
      const ended = new Map(ended_sessions.map(({ id, ends_at }) => [id, Date.parse(ends_at)]));
      this.byId.set(user_id, { tenantId: tenant_id, role, epoch: session_epoch, ended });
    }
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    switch (event.type) {
      case 'MemberJoined': {
        const { user_id, role } = event.data;
        if (this.byId.has(user_id)) return;
        this.byId.set(user_id, {
          tenantId: event.tenant_id,
          role,
          epoch: 1,
          ended: new Map(),
        });
        return;
      }
      case 'MemberRoleChanged':
        this.change(event.data.user_id, (user) => ({ ...user, role: event.data.role }));
        return;
      case 'UserPasswordChanged':
      case 'UserSessionsRevoked': {
        const { user_id, session_epoch: epoch } = event.data;
        this.change(user_id, (user) =>
          epoch > user.epoch ? { ...user, epoch, ended: new Map() } : user,
        );
        return;
      }
      case 'SessionEnded': {
        const { user_id, session_id, ends_at } = event.data;
        const now = Date.parse(event.occurred_at);
        const ended = this.byId.get(user_id)?.ended;
        for (const [id, until] of ended ?? []) if (until <= now) ended?.delete(id);
        ended?.set(session_id, Date.parse(ends_at));
        return;
      }
      case 'MemberRemoved':
      case 'UserClosed':
        this.byId.delete(event.data.user_id);
        return;
      default:
    }
  }

  private change(userId: string, to: (user: Kept) => Kept): void {
    const user = this.byId.get(userId);
    if (user) this.byId.set(userId, to(user));
  }
}
