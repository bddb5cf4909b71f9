import { Injectable } from '@nestjs/common';

import { POLICY_DEFAULTS, type PolicySettings } from '#contracts';
import { settingsAfter } from '#domain';
import { listChangedPolicies } from '#read-model';

import { POLICY_EVENTS } from '../history/past-policies.js';
import { InMemoryMap } from '../in-memory/in-memory-map.js';
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
  private readonly byTenant;
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.byTenant = new InMemoryMap(projections, {
      name: 'policies',
      types: POLICY_EVENTS,
      from: { projection: 'policies', query: listChangedPolicies },
      add: ({ tenant_id, settings, revision }, known: Map<string, KnownPolicy>) =>
        known.set(tenant_id, { settings, revision }),
      apply: (event, known) => {
        const before = known.get(event.tenant_id) ?? DEFAULT_POLICY;
        const revision = BigInt(event.revision);
        if (revision <= before.revision) return;
        const settings = settingsAfter(before.settings, event);
        known.set(event.tenant_id, { settings, revision });
      },
    });
    this.projection = this.byTenant.projection;
  }

  policyOf(tenantId: string): KnownPolicy {
    return this.byTenant.get(tenantId) ?? DEFAULT_POLICY;
  }
}
