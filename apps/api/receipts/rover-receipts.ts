import { Injectable } from '@nestjs/common';

import type { RoverReceiptView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { requireId } from '../edge/path-id.js';
import { PastPolicies } from '../history/past-policies.js';
import { RoverJobs } from '../rover/rover-jobs.js';

/** Receipts of rover jobs: the log has them as long as the job, so they outlive its sources. */
@Injectable()
export class RoverReceipts {
  constructor(
    private readonly jobs: RoverJobs,
    private readonly policies: PastPolicies,
  ) {}

  /**
   * Returns the receipt of a completed job of the tenant; null if there is none. As all of Rover,
   * it is for API keys only.
   */
  async find(caller: Caller, id: string): Promise<RoverReceiptView | null> {
    if (caller.principal?.kind !== 'api_key') return null;
    const job = await this.jobs.completed(caller, requireId('receipt_not_found', id));
    if (!job) return null;
    const { view, result } = job;
    const revision = result?.policy_revision ?? null;
    return {
      id,
      kind: 'rover',
      created_at: view.completed_at ?? view.created_at,
      question: view.question,
      erased: result === null,
      read: view.read,
      policy_revision: revision,
      policy: await this.policies.settings(caller.tenantId, revision),
      planner: result?.planner ?? null,
      searches: [...(result?.searches ?? [])],
      citations: view.citations,
    };
  }
}
