import { Injectable } from '@nestjs/common';

import { FootnoteError, type PolicySettings } from '#contracts';
import {
  asPassages,
  asRanked,
  HybridSearch,
  type MultiHopRequest,
  MultiHopSearch,
  QueryModels,
  type SearchMoment,
  type SearchOutcome,
  type SearchRequest,
} from '#search';

import { PastMoment } from '../search/past-moment.js';
import { filtersOf } from '../search/receipt/sealed-request.js';
import { openReranker } from '../search/receipt/sealed-reranker.js';
import { openSentences } from '../search/receipt/sealed-sentences.js';
import type { StoredReceipt } from './stored-receipts.js';

/** Repeats searches of receipts. Charges nothing and leaves no receipt. */
@Injectable()
export class Replays {
  constructor(
    private readonly past: PastMoment,
    private readonly models: QueryModels,
    private readonly hybrid: HybridSearch,
    private readonly multiHop: MultiHopSearch,
  ) {}

  /**
   * Repeats a search on the content and clock that it had.
   * @param policy settings to search under. Default: those that it had.
   * @throws FootnoteError `receipt_erased`, `generation_dropped`, `content_missing` or
   * `model_changed`.
   */
  async run(stored: StoredReceipt, policy?: PolicySettings): Promise<SearchOutcome> {
    const request = requestOf(stored);
    const then = await this.moment(stored);
    const moment = policy ? { ...then, policy } : then;
    return stored.receipt.kind === 'rmh'
      ? this.multiHop.run(request as MultiHopRequest, () => moment)
      : this.hybrid.run(request, () => moment, {
          choose: stored.receipt.kind === 'chat' ? asPassages : asRanked,
        });
  }

  /**
   * Returns the content, policy and clock that the search had.
   * @throws FootnoteError as {@link run}.
   */
  async moment({ tenantId, at, audiences, receipt, typed }: StoredReceipt): Promise<SearchMoment> {
    const missing = receipt.models.find((model) => !this.models.has(model));
    if (missing !== undefined) {
      throw new FootnoteError(
        'model_changed',
        `The search was embedded with ${missing}, which is not in use now`,
      );
    }
    if (receipt.incomplete) {
      throw new FootnoteError(
        'content_missing',
        'Content was missing when this was searched; it cannot be replayed',
      );
    }
    const moment = await this.past.of({
      tenantId,
      audiences,
      policyRevision: receipt.policy_revision,
      liveAt: receipt.live_at,
      linksAt: receipt.links_at,
      now: receipt.as_of ? Date.parse(receipt.as_of.at) : at,
    });
    const sentences = typed?.sentences ? openSentences(typed.sentences, moment.sources) : null;
    const reranker = typed?.reranker ? openReranker(typed.reranker) : null;
    // Receipts of the first version did not record it.
    const retrievalVersion = receipt.retrieval_version ?? 1;
    return { ...moment, models: receipt.models, sentences, reranker, retrievalVersion };
  }
}

function requestOf({ id, receipt, typed }: StoredReceipt): SearchRequest {
  if (typed) return { ...receipt.parameters, query: typed.query, ...filtersOf(typed) };
  throw new FootnoteError('receipt_erased', `The query of receipt ${id} was erased`);
}
