import { Inject, Injectable } from '@nestjs/common';

import type { QuotaPlan } from '#contracts';
import { type Config, LOGGER, type Logger } from '#platform';
import { listTenants } from '#read-model';

import { CONFIG } from '../engines/engines.js';
import { InMemoryMap } from '../in-memory/in-memory-map.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['TenantPlanChanged'] as const;

/** The plan of every tenant: no request asks an engine for it. */
@Injectable()
export class TenantPlans {
  /** Those that were given one. */
  private readonly names;
  private readonly complainedOf = new Set<string>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.names = new InMemoryMap(projections, {
      name: 'tenant-plans',
      types: TYPES,
      from: { projection: 'tenants', query: listTenants },
      add: ({ id, plan }, names: Map<string, string>) => plan !== null && names.set(id, plan),
      apply: ({ data }, names) => names.set(data.tenant_id, data.plan),
    });
    this.projection = this.names.projection;
  }

  /**
   * The default one where the tenant was given none, or one that is not configured any more, which
   * is logged.
   */
  of(tenantId: string): QuotaPlan {
    const { plans, defaultPlan } = this.config.quota;
    const name = this.names.get(tenantId);
    const plan = name === undefined ? undefined : planNamed(plans, name);
    if (name !== undefined && plan === undefined) this.complain(name);
    const fallback = plan ?? planNamed(plans, defaultPlan);
    if (!fallback) throw new Error('The default plan is not configured');
    return fallback;
  }

  private complain(plan: string): void {
    if (this.complainedOf.has(plan)) return;
    this.complainedOf.add(plan);
    this.logger.warn({ plan }, 'tenant plans: plan is not in QUOTA_PLANS; using the default plan');
  }
}

function planNamed(
  plans: Readonly<Record<string, QuotaPlan>>,
  name: string,
): QuotaPlan | undefined {
  return Object.hasOwn(plans, name) ? plans[name] : undefined;
}
