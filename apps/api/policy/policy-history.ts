import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { HistoryList, HistoryQuery } from '#contracts/http/index';

import { AuditPages } from '../audit/audit-pages.js';
import type { Caller } from '../auth/caller.js';
import { historyEntry } from '../history/history-entry.js';
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
  constructor(private readonly pages: AuditPages) {}

  async execute({ caller, query }: GetPolicyHistory): Promise<HistoryList> {
    const { records, next } = await this.pages.read(caller, { types: POLICY_EVENTS }, query);
    return { entries: records.map(historyEntry), next };
  }
}
