import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { validationFailed } from '#contracts';
import type { AsOfQuery, PolicyView } from '#contracts/http/index';
import { getPolicy } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { type Moment, Moments } from '../history/moments.js';
import { PastPolicies } from '../history/past-policies.js';
import { Handles } from '../use-cases/handles.js';
import { policyEtag } from './policy-etag.js';
import { policyView } from './policy-view.js';

/** A policy with its version. */
export interface VersionedPolicy {
  readonly policy: PolicyView;
  readonly etag: string;
  /** The moment that it is as of; absent for the present. */
  readonly moment?: Moment;
}

/** Returns the caller's policy, now or as it was. */
export class GetPolicy extends Query<VersionedPolicy> {
  constructor(
    readonly caller: Caller,
    readonly asOf: AsOfQuery = {},
  ) {
    super();
  }
}

@Handles(GetPolicy)
export class GetPolicyHandler implements IQueryHandler<GetPolicy> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly moments: Moments,
    private readonly past: PastPolicies,
  ) {}

  async execute({ caller: { tenantId }, asOf }: GetPolicy): Promise<VersionedPolicy> {
    const moment = await this.moments.asked(tenantId, asOf);
    const row = await this.readModel.ask(getPolicy, tenantId);
    if (!moment) {
      return {
        policy: policyView(row.settings, row.created_at, row.updated_at),
        etag: policyEtag(row.revision ?? 'none'),
      };
    }
    requireHistory('as_of', moment);
    const { settings, revision, changedAt } = await this.past.at(tenantId, moment);
    return {
      policy: policyView(settings, row.created_at, changedAt ?? row.created_at),
      etag: policyEtag(revision === null ? 'none' : BigInt(revision)),
      moment,
    };
  }
}

/** @throws FootnoteError `validation_failed` for a moment before the tenant's first record. */
export function requireHistory(
  field: string,
  moment: Moment,
): asserts moment is { readonly seq: number } {
  if (moment.seq !== null) return;
  const message = 'must not be before the first record of the tenant';
  throw validationFailed([{ field, message }]);
}
