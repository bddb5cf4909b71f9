import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import {
  FootnoteError,
  type MultiHopResponse,
  type NoEvidence,
  type Receipt,
  type SearchResponse,
} from '#contracts';
import type { Config } from '#platform';
import type { LiveSourceThen } from '#read-model';
import {
  asPassages,
  asRanked,
  HybridSearch,
  type MultiHopRequest,
  MultiHopSearch,
  QueryModels,
  repositoryPages,
  type SearchMoment,
  type SearchOutcome,
  type SearchRequest,
} from '#search';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { openReceipt } from '../search/receipt/receipt-event.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { Handles } from '../use-cases/handles.js';
import { PastMoments } from './past-moments.js';
import { type StoredReceipt, StoredReceipts } from './stored-receipts.js';

/** An answer given again. */
export interface Replay {
  readonly answer: SearchResponse | MultiHopResponse | NoEvidence;
  /** True if chunks, their order and all their scores are those of the receipt. */
  readonly matches: boolean;
}

/**
 * Answers a receipt's search again, on the content, policy and clock that it had. Charges nothing.
 */
export class ReplaySearch extends Query<Replay> {
  constructor(
    readonly caller: Caller,
    readonly receiptId: string,
  ) {
    super();
  }
}

@Handles(ReplaySearch)
export class ReplaySearchHandler implements IQueryHandler<ReplaySearch> {
  constructor(
    private readonly receipts: StoredReceipts,
    private readonly past: PastMoments,
    private readonly models: QueryModels,
    private readonly hybrid: HybridSearch,
    private readonly multiHop: MultiHopSearch,
    private readonly contentGaps: ContentGaps,
    private readonly reads: RecordedReads,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws FootnoteError `receipt_not_found`, `receipt_erased`, `generation_dropped`,
   * `content_missing` or `model_changed`.
   */
  async execute({ caller, receiptId }: ReplaySearch): Promise<Replay> {
    const stored = await this.receipts.get(caller, receiptId);
    await this.reads.record(caller, { kind: 'replay', receiptId });
    const request = requestOf(stored);
    const moment = await this.moment(stored);
    const outcome = await (stored.receipt.kind === 'rmh'
      ? this.multiHop.run(request as MultiHopRequest, () => moment)
      : this.hybrid.run(
          request,
          () => moment,
          stored.receipt.kind === 'chat' ? asPassages : asRanked,
        ));
    return { answer: outcome.answer, matches: isSame(stored.receipt, outcome) };
  }

  private async moment({ tenantId, at, audiences, receipt }: StoredReceipt): Promise<SearchMoment> {
    const missing = receipt.models.find((model) => !this.models.has(model));
    if (missing !== undefined) {
      throw new FootnoteError(
        'model_changed',
        `The search was embedded with ${missing}, which is not in use now`,
      );
    }
    const [policy, live] = await Promise.all([
      this.past.policy(tenantId, receipt.policy_revision),
      this.past.liveSources(tenantId, receipt.live_at, audiences, receipt.links_at),
    ]);
    refuseDropped(live);
    if (receipt.incomplete) {
      throw new FootnoteError(
        'content_missing',
        'Content was missing when this was searched; it cannot be replayed',
      );
    }
    await this.refuseLost(live);
    return {
      tenantId,
      audiences,
      policy,
      policyRevision: receipt.policy_revision,
      sources: live.map(
        ({
          tenant_id,
          source_id,
          generation,
          name,
          audience,
          kind,
          version_ref,
          url,
          synced_at,
        }) => ({
          tenantId: tenant_id,
          sourceId: source_id,
          generation,
          name,
          audience,
          kind,
          versionRef: version_ref,
          pages: repositoryPages(url, this.config.git.hostKinds),
          syncedAt: Date.parse(synced_at),
        }),
      ),
      lost: [],
      indexedOnly: [],
      liveAt: receipt.live_at,
      linksAt: receipt.links_at,
      now: at,
      models: receipt.models,
    };
  }

  /** As with dropped ones, one is enough. */
  private async refuseLost(live: readonly LiveSourceThen[]): Promise<void> {
    await this.contentGaps.refreshUnlessFresh();
    const of = ({ tenant_id: tenantId, source_id: sourceId, generation }: LiveSourceThen) => ({
      tenantId,
      sourceId,
      generation,
    });
    const lost = live.find((source) => this.contentGaps.isLost(of(source)));
    if (!lost) return;
    throw new FootnoteError(
      'content_missing',
      `Content of generation ${lost.generation} of ${lost.name} is missing; the search cannot be replayed`,
    );
  }
}

function requestOf({ id, receipt, typed }: StoredReceipt): SearchRequest {
  if (typed) return { ...receipt.parameters, ...typed };
  throw new FootnoteError('receipt_erased', `The query of receipt ${id} was erased`);
}

/** One is enough: term statistics were taken over everything that was live. */
function refuseDropped(live: readonly LiveSourceThen[]): void {
  const gone = live.find(({ dropped }) => dropped);
  if (!gone) return;
  throw new FootnoteError(
    'generation_dropped',
    `Generation ${gone.generation} of ${gone.name} is not kept any more`,
  );
}

function isSame(
  receipt: Pick<Receipt, 'outcome' | 'sources' | 'results'>,
  outcome: SearchOutcome,
): boolean {
  const { outcome: now, sources, results } = openReceipt(outcome);
  const then = [receipt.outcome, receipt.sources, receipt.results];
  return JSON.stringify(then) === JSON.stringify([now, sources, results]);
}
