import { Injectable } from '@nestjs/common';

import { POLICY_DEFAULTS, type PolicySettings } from '#contracts';
import { settingsAfter } from '#domain';
import type { ReadEvent } from '#event-store';
import { listChangedPolicies } from '#read-model';

import { POLICY_EVENTS } from '../history/past-policies.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/** A tenant's policy with the revision that made it; -1 before the first change. */
export interface KnownPolicy {
  readonly settings: PolicySettings;
  readonly revision: bigint;
}

const DEFAULT_POLICY: KnownPolicy = Object.freeze({ settings: POLICY_DEFAULTS, revision: -1n });

/** The policy of every tenant that changed it: a search reads no engine for it. */
@Injectable()
export class KnownPolicies {
  private readonly byTenant = new Map<string, KnownPolicy>();
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.projection = projections.followRows({
      name: 'policies',
      types: POLICY_EVENTS,
      from: { projection: 'policies', query: listChangedPolicies },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  policyOf(tenantId: string): KnownPolicy {
    return this.byTenant.get(tenantId) ?? DEFAULT_POLICY;
  }

  private replace(policies: Awaited<ReturnType<typeof listChangedPolicies>>): void {
    this.byTenant.clear();
    for (const row of policies)
      this.byTenant.set(row.tenant_id, { settings: row.settings, revision: row.revision });
  }

  private apply(event: ReadEvent<(typeof POLICY_EVENTS)[number]>): void {
    const tenantId = event.tenant_id;
    const known = this.policyOf(tenantId);
    const revision = BigInt(event.revision);
    if (revision <= known.revision) return;
    this.byTenant.set(tenantId, {
      settings: settingsAfter(known.settings, event),
      revision,
    });
  }
}
