import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { MultiHopResponse, NoEvidence, Receipt, SearchResponse } from '#contracts';
import type {
  CodeSearchResponseView,
  DefinitionsView,
  ReferencesView,
} from '#contracts/http/index';
import type { SearchOutcome } from '#search';

import type { Caller } from '../auth/caller.js';
import { NavigationReplays } from '../code-navigation/navigation-replays.js';
import { CodeReplays } from '../code-search/code-replays.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { openReceipt } from '../search/receipt/receipt-event.js';
import { Handles } from '../use-cases/handles.js';
import { type ReplayDifference, replayDifference } from './replay-difference.js';
import { Replays } from './replays.js';
import { type StoredReceipt, StoredReceipts } from './stored-receipts.js';

/** An answer given again. */
export interface Replay {
  readonly answer:
    | SearchResponse
    | MultiHopResponse
    | NoEvidence
    | CodeSearchResponseView
    | DefinitionsView
    | ReferencesView;
  /** True if chunks, their order and all their scores are those of the receipt. */
  readonly matches: boolean;
  /** Likeliest cause of a difference; undefined if there is none. */
  readonly difference: ReplayDifference | undefined;
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
    private readonly replays: Replays,
    private readonly codeReplays: CodeReplays,
    private readonly navigationReplays: NavigationReplays,
    private readonly reads: RecordedReads,
  ) {}

  /** @throws FootnoteError `receipt_not_found`, or as `Replays.run`. */
  async execute({ caller, receiptId }: ReplaySearch): Promise<Replay> {
    const stored = await this.receipts.get(caller, receiptId);
    await this.reads.record(caller, { kind: 'replay', receiptId });
    if (stored.receipt.kind === 'code') return this.code(stored);
    const outcome = await this.replays.run(stored);
    const matches = isSame(stored.receipt, outcome);
    return {
      answer: outcome.answer,
      matches,
      difference: matches ? undefined : replayDifference(stored.receipt),
    };
  }

  private async code(stored: StoredReceipt): Promise<Replay> {
    const moment = await this.replays.moment(stored);
    const { receipt, typed } = stored;
    if (typed?.navigation) {
      const { outcome, matches } = await this.navigationReplays.run(receipt, typed, moment);
      return { answer: outcome.answer, matches, difference: undefined };
    }
    const { outcome, matches } = await this.codeReplays.run(receipt, typed, moment);
    return { answer: outcome.answer, matches, difference: undefined };
  }
}

function isSame(
  receipt: Pick<Receipt, 'outcome' | 'sources' | 'results'>,
  outcome: SearchOutcome,
): boolean {
  const { outcome: now, sources, results } = openReceipt(outcome);
  const then = [receipt.outcome, receipt.sources, receipt.results];
  return JSON.stringify(then) === JSON.stringify([now, sources, results]);
}
