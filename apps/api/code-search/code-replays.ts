import { Injectable } from '@nestjs/common';

import { FootnoteError, type Receipt } from '#contracts';
import { CodeSearch, type CodeSearchOutcome, type SearchMoment, type TextSink } from '#search';

import type { TypedRequest } from '../search/receipt/sealed-request.js';
import { SearchConcurrency } from '../search/search-concurrency.js';
import { codeRequestOf, isSameEvidence } from './code-receipt.js';
import { isLongCodeAnswer } from './long-code-answer.js';

/** Time of a repeated search, which ends where the recorded one ended. */
const REPLAY_TIMEOUT_MS = 30_000;
/** Takes text that nobody reads. */
const UNREAD: TextSink = { write: () => undefined, room: () => undefined };

/** A repeated code search. */
export interface CodeReplay {
  readonly outcome: CodeSearchOutcome;
  /** True if matches and examined documents are those of the receipt. */
  readonly matches: boolean;
}

/** Repeats code searches of receipts. Charges nothing and leaves no receipt. */
@Injectable()
export class CodeReplays {
  constructor(
    private readonly searches: CodeSearch,
    private readonly places: SearchConcurrency,
  ) {}

  /**
   * @param moment the content, policy and clock of the receipt.
   * @throws FootnoteError `receipt_erased` without the typed text; `engine_unavailable` if it takes
   * too long.
   */
  async run(
    receipt: Pick<Receipt, 'parameters' | 'code'>,
    typed: TypedRequest | null,
    moment: SearchMoment,
  ): Promise<CodeReplay> {
    const request = typed && codeRequestOf(receipt, typed, REPLAY_TIMEOUT_MS);
    const { code: then } = receipt;
    if (!request || !then)
      throw new FootnoteError('receipt_erased', 'The pattern of this receipt was erased');
    const end =
      then.reason === 'deadline'
        ? { documents: then.documents, lines: then.partial_lines ?? 0 }
        : undefined;
    const recorded = { end, timeoutMs: REPLAY_TIMEOUT_MS };
    // The lines of a long answer are compared, and not collected.
    const onText = isLongCodeAnswer(request) ? UNREAD : undefined;
    const outcome = await this.places.run(moment.tenantId, () =>
      this.searches.run(request, () => moment, { recorded, onText }),
    );
    const { evidence } = outcome;
    if (evidence.reason === 'deadline' && !isSameEvidence(then, evidence))
      throw new FootnoteError('engine_unavailable', 'The replay took too long; retry in 10 s', {
        retryAfter: 10,
      });
    return { outcome, matches: isSameEvidence(then, evidence) };
  }
}
