import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { policyChanges } from '#audit';
import { type ErrorCode, FootnoteError, type PolicySettings } from '#contracts';
import type { PolicySimulationView, SimulatePolicyBody } from '#contracts/http/index';
import { settingsAfter } from '#domain';
import { CLOCK, type Clock } from '#platform';
import { listAuditRecords } from '#read-model';

import { AuditedEvents } from '../audit/audited-events.js';
import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { policyChangesOf } from '../policy/change-policy.js';
import { KnownPolicies } from '../policy/known-policies.js';
import { Replays } from '../receipts/replays.js';
import { type StoredReceipt, StoredReceipts } from '../receipts/stored-receipts.js';
import { SearchConcurrency } from '../search/search-concurrency.js';
import { Handles } from '../use-cases/handles.js';
import { Projected } from '../write/projected.js';
import { SimulationTally } from './simulation-tally.js';

/** Time after which no further search begins, milliseconds. */
const BUDGET_MS = 10_000;
/** Records that one page reads. */
const PAGE = 50;
/** Most charges that are looked at; not every charge has a receipt that the caller may read. */
const MOST_CHARGES = 1_000;

/** Errors that a repeated search may end with. */
const EXPECTED: readonly ErrorCode[] = [
  'generation_dropped',
  'content_missing',
  'receipt_erased',
  'model_changed',
];

/** Repeats the last searches of the caller's tenant under another policy. Charges nothing. */
export class SimulatePolicy extends Query<PolicySimulationView> {
  constructor(
    readonly caller: Caller,
    readonly body: SimulatePolicyBody,
  ) {
    super();
  }
}

@Handles(SimulatePolicy)
export class SimulatePolicyHandler implements IQueryHandler<SimulatePolicy> {
  constructor(
    private readonly policies: KnownPolicies,
    private readonly receipts: StoredReceipts,
    private readonly replays: Replays,
    private readonly places: SearchConcurrency,
    private readonly events: AuditedEvents,
    private readonly projected: Projected,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller, body }: SimulatePolicy): Promise<PolicySimulationView> {
    const { settings: current } = this.policies.policyOf(caller.tenantId);
    const changes = policyChangesOf(body.policy);
    const policy = settingsAfter(current, { type: 'PolicyUpdated', data: { changes } });
    await this.projected.caughtUp('audit_records');
    const deadline = this.clock.monotonic() + BUDGET_MS;
    const tally = new SimulationTally();
    let found = 0;
    let complete = true;
    for await (const id of this.charges(caller.tenantId)) {
      if (found === body.last) break;
      const stored = await this.receiptOf(caller, id);
      // Code searches return all matches, whatever the thresholds of a policy.
      if (!stored || stored.receipt.kind === 'code') continue;
      found += 1;
      if (this.clock.monotonic() > deadline) {
        complete = false;
        break;
      }
      await this.repeat(stored, policy, tally);
    }
    return { changes: policyChanges(current, policy), ...tally.view(), complete };
  }

  /** Ids of the last charges that may have a receipt, the newest first. */
  private async *charges(tenantId: string): AsyncGenerator<string> {
    const filter = { types: ['QuotaConsumed'] };
    for (let read = 0, after: number | undefined; read < MOST_CHARGES; read += PAGE) {
      const page = { filter, order: 'desc', limit: PAGE } as const;
      const rows = await this.readModel.ask(listAuditRecords, tenantId, {
        ...page,
        ...(after === undefined ? {} : { after }),
      });
      for (const { event } of await this.events.of(rows))
        if ('receipt' in event.data) yield event.id;
      after = rows.at(-1)?.seq;
      if (rows.length < PAGE) return;
    }
  }

  /** Returns undefined for the receipt of a conversation that is not the caller's. */
  private async receiptOf(caller: Caller, id: string): Promise<StoredReceipt | undefined> {
    try {
      return await this.receipts.get(caller, id);
    } catch (error) {
      if (error instanceof FootnoteError && error.code === 'receipt_not_found') return undefined;
      throw error;
    }
  }

  private async repeat(
    stored: StoredReceipt,
    policy: PolicySettings,
    tally: SimulationTally,
  ): Promise<void> {
    try {
      const outcome = await this.places.run(stored.tenantId, () =>
        this.replays.run(stored, policy),
      );
      tally.add(
        stored.id,
        stored.receipt.results.map(([chunkId]) => chunkId),
        outcome.scores.map(({ chunkId }) => chunkId),
      );
    } catch (error) {
      if (!(error instanceof FootnoteError) || !EXPECTED.includes(error.code)) throw error;
      tally.skip(error.code);
    }
  }
}
