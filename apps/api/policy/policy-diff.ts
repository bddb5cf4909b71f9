import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { policyChanges } from '#audit';
import { validationFailed } from '#contracts';
import type { PolicyDiffQuery, PolicyDiffView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Moments } from '../history/moments.js';
import { PastPolicies } from '../history/past-policies.js';
import { Handles } from '../use-cases/handles.js';
import { requireHistory } from './get-policy.js';

/** Returns the settings of the caller's policy that differ between two moments. */
export class DiffPolicy extends Query<PolicyDiffView> {
  constructor(
    readonly caller: Caller,
    readonly query: PolicyDiffQuery,
  ) {
    super();
  }
}

@Handles(DiffPolicy)
export class DiffPolicyHandler implements IQueryHandler<DiffPolicy> {
  constructor(
    private readonly moments: Moments,
    private readonly past: PastPolicies,
  ) {}

  async execute({ caller: { tenantId }, query }: DiffPolicy): Promise<PolicyDiffView> {
    const { from, from_seq, to, to_seq } = query;
    if (from === undefined && from_seq === undefined)
      throw validationFailed([{ field: 'from', message: 'must be given, or from_seq' }]);
    const first = { at: from, seq: from_seq };
    const begin = await this.moments.at(tenantId, first, { at: 'from', seq: 'from_seq' });
    const second = { at: to, seq: to_seq };
    const end = await this.moments.at(tenantId, second, { at: 'to', seq: 'to_seq' });
    requireHistory('from', begin);
    requireHistory('to', end);
    const [before, after] = [
      await this.past.at(tenantId, begin),
      await this.past.at(tenantId, end),
    ];
    return {
      from_seq: begin.seq,
      to_seq: end.seq,
      changes: policyChanges(before.settings, after.settings),
    };
  }
}
