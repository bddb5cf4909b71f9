import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { PolicyView } from '#contracts/http/index';
import { getPolicy } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { policyEtag } from './policy-etag.js';
import { policyView } from './policy-view.js';

/** A policy with its version. */
export interface VersionedPolicy {
  readonly policy: PolicyView;
  readonly etag: string;
}

export class GetPolicy extends Query<VersionedPolicy> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(GetPolicy)
export class GetPolicyHandler implements IQueryHandler<GetPolicy> {
  constructor(@Inject(READ_MODEL) private readonly readModel: ApiReadModel) {}

  async execute({ caller }: GetPolicy): Promise<VersionedPolicy> {
    const row = await this.readModel.ask(getPolicy, caller.tenantId);
    return {
      policy: policyView(row.settings, row.created_at, row.updated_at),
      etag: policyEtag(row.revision ?? 'none'),
    };
  }
}
