import { Inject, Injectable } from '@nestjs/common';

import type { PolicySettings } from '#contracts';
import { policyDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { listAuditRecords } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import type { Moment } from './moments.js';

/** Types of events that change a policy. */
export const POLICY_EVENTS = ['PolicyUpdated', 'PolicyReset'] as const;

/** A policy as it was. */
export interface PastPolicy {
  readonly settings: PolicySettings;
  /** Revision of the policy's stream; null before the first change. */
  readonly revision: number | null;
  /** Time of that revision; null before the first change. */
  readonly changedAt: string | null;
}

/** Returns policies of the past, folded from their streams. */
@Injectable()
export class PastPolicies {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  /** Returns the tenant's policy at a moment. */
  async at(tenantId: string, { seq }: Moment): Promise<PastPolicy> {
    const page = { filter: { types: POLICY_EVENTS }, order: 'desc', limit: 1 } as const;
    const [last] =
      seq === null
        ? []
        : await this.readModel.ask(listAuditRecords, tenantId, { ...page, after: seq + 1 });
    const revision = last?.revision ?? null;
    const changedAt = last?.occurred_at ?? null;
    return { settings: await this.settings(tenantId, revision), revision, changedAt };
  }

  /** @param revision of the policy's stream; null: before it was first changed. */
  async settings(tenantId: string, revision: number | null): Promise<PolicySettings> {
    if (revision === null) return policyDecider.initial.settings;
    const until = { revision: BigInt(revision) };
    return (await foldStream(this.store, policyDecider, `policy-${tenantId}`, { until })).state
      .settings;
  }
}
