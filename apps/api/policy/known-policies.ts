import { Inject, Injectable } from '@nestjs/common';

import {
  POLICY_DEFAULTS,
  type PolicySettings,
  type Position,
  type RecordedEvent,
} from '#contracts';
import { settingsAfter } from '#domain';
import { readEvent } from '#event-store';
import { listChangedPolicies } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
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

  constructor(
    projections: InMemoryProjections,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {
    this.projection = projections.keep({
      name: 'policies',
      types: ['PolicyUpdated', 'PolicyReset'],
      load: () => this.load(),
      apply: (event) => this.apply(event),
    });
  }

  policyOf(tenantId: string): KnownPolicy {
    return this.byTenant.get(tenantId) ?? DEFAULT_POLICY;
  }

  private async load(): Promise<Position | 'start'> {
    const { rows: policies, position } = await this.readModel.asOf('policies', listChangedPolicies);
    this.byTenant.clear();
    for (const row of policies)
      this.byTenant.set(row.tenant_id, { settings: row.settings, revision: row.revision });
    return position ?? 'start';
  }

  private apply(recorded: RecordedEvent): void {
    const event = readEvent(recorded);
    if (event?.type !== 'PolicyUpdated' && event?.type !== 'PolicyReset') return;
    const tenantId = recorded.metadata.tenant_id;
    const known = this.policyOf(tenantId);
    if (recorded.revision <= known.revision) return;
    this.byTenant.set(tenantId, {
      settings: settingsAfter(known.settings, event),
      revision: recorded.revision,
    });
  }
}
