import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { HistoryList, HistoryQuery } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Histories, historyEntry } from '../history/histories.js';
import { POLICY_EVENTS } from '../history/past-policies.js';
import { Handles } from '../use-cases/handles.js';

/** Returns who changed the caller's policy, when and from what. */
export class GetPolicyHistory extends Query<HistoryList> {
  constructor(
    readonly caller: Caller,
    readonly query: HistoryQuery,
  ) {
    super();
  }
}

@Handles(GetPolicyHistory)
export class GetPolicyHistoryHandler implements IQueryHandler<GetPolicyHistory> {
  constructor(private readonly histories: Histories) {}

  execute({ caller, query }: GetPolicyHistory): Promise<HistoryList> {
    return this.histories.page(caller, { types: POLICY_EVENTS }, query, historyEntry);
  }
}
