import { Inject, Injectable } from '@nestjs/common';

import type { FootnoteError, NoEvidence, RateLimit, SearchResult } from '#contracts';
import type { ChatBody, ChatSummaryView, PackageMention } from '#contracts/http/index';
import { CHAT_MODEL, type ChatModel, type ChatTurn, type ChatUsage, ModelError } from '#models';
import { CLOCK, type Clock, type Config, LOGGER, type Logger } from '#platform';
import { asPassages, HybridSearch, type SearchOutcome } from '#search';

import type { Caller } from '../../auth/caller.js';
import type { ConversationSeal } from '../../conversations/conversation-keys.js';
import { CONFIG } from '../../engines/engines.js';
import { KnownLinks } from '../../package-links/known-links.js';
import { PrepaidWork } from '../../quota/prepaid-work.js';
import { PresentMoment } from '../../search/present-moment.js';
import { Receipts } from '../../search/receipt/receipts.js';
import { answerNotices } from './answer-notices.js';
import { AnswerStore } from './answer-store.js';
import { audiencesOf } from './chat-audiences.js';
import { citationsOf, evidenceOf } from './chat-evidence.js';
import { addUsage } from './chat-usage.js';
import { CitationMarks } from './citation-marks.js';
import { INSTRUCTIONS } from './instructions.js';
import { markedAnswer } from './marked-answer.js';
import { MentionedPackages, NOTHING_MENTIONED } from './mentioned-packages.js';
import { questionSearch } from './question-search.js';
import { requireUsableScope } from './require-usable-scope.js';
import { type RewrittenQuestion, standsByItself } from './standalone-question.js';

/** Characters of an answer beyond which it is broken off: no answer to a question is that long. */
const MOST_CHARACTERS = 200_000;

/** A question with its search text. */
export interface ChatQuestion {
  readonly request: Readonly<ChatBody>;
  /** Earlier turns, oldest first. */
  readonly history?: readonly ChatTurn[];
  /** Packages to look in as well, which are fetched first where they have to be. */
  readonly mentions?: readonly PackageMention[] | undefined;
  /** Their share of the budget; passages have the rest. Default: nothing. */
  readonly historyTokens?: number;
  /**
   * Rewrites the question so that it needs no earlier turn. Called once, when quota is reserved for
   * the question.
   */
  readonly rewrite?: () => Promise<RewrittenQuestion>;
  /**
   * The conversation of the question: its documents are searched too, and its key seals the stored
   * text.
   */
  readonly conversation?: ConversationSeal & { readonly hasDocuments: boolean };
}

/** A question that was searched for and charged; nothing was asked of a model yet. */
export interface BegunTurn {
  readonly caller: Caller;
  readonly question: ChatQuestion;
  /** The question as it was searched for, where that was in other words. */
  readonly standalone?: string | undefined;
  /** Tokens that the model counted before the answer. */
  readonly usage: ChatUsage | null;
  readonly receiptId: string;
  /** The rest of the quota; null if it is not limited. */
  readonly rateLimit: RateLimit | null;
  /** Evidence of the answer; empty if nothing was found or the policy refuses it. */
  readonly evidence: readonly SearchResult[];
  /** Said in place of an answer where there is none. */
  readonly noEvidence: string | null;
  /** Notices about mentioned packages that could not be searched. */
  readonly notices: readonly string[];
  readonly searchTimeMs: number;
  /** Milliseconds of `clock.monotonic()`. */
  readonly started: number;
}

/** A piece of an answer, in order, or how it ended, which comes once and last. */
export type ChatPiece =
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'done'; readonly summary: ChatSummaryView };

/**
 * Answers questions from indexed content: searches, charges, asks the model, checks its citations,
 * and stores its answer.
 */
@Injectable()
export class ChatTurns {
  constructor(
    private readonly searches: HybridSearch,
    private readonly present: PresentMoment,
    private readonly receipts: Receipts,
    private readonly answers: AnswerStore,
    private readonly costly: PrepaidWork,
    private readonly links: KnownLinks,
    private readonly mentions: MentionedPackages,
    @Inject(CHAT_MODEL) private readonly model: ChatModel,
    @Inject(CONFIG) private readonly config: Pick<Config, 'serviceDocs'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Searches and charges. @throws FootnoteError as a search does; nothing is charged then. */
  async begin(caller: Caller, question: ChatQuestion): Promise<BegunTurn> {
    const started = this.clock.monotonic();
    const { request, conversation, historyTokens = 0, mentions } = question;
    requireUsableScope(request, mentions, this.config);
    const { query, source_ids } = request;
    const inConversation = conversation?.hasDocuments ? conversation.conversationId : undefined;
    let standalone: string | undefined;
    let usage: ChatUsage | null = null;
    let mentioned = NOTHING_MENTIONED;
    const searchFor = async (words?: string): Promise<SearchOutcome> => {
      standalone = words;
      const { sourceIds, packageIds } = mentioned;
      const asked = {
        ...questionSearch(request, words, historyTokens),
        ...(source_ids ? { source_ids: [...source_ids, ...sourceIds] } : {}),
      };
      const audiences = () =>
        audiencesOf(request, this.links.of(caller.tenantId), packageIds, inConversation);
      const outcome = await this.searches.run(
        asked,
        () => this.present.of(caller.tenantId, audiences()),
        { choose: asPassages },
      );
      return { ...outcome, asked: { kind: 'chat', request: asked, question: query } };
    };
    const search = async (): Promise<SearchOutcome> => {
      const [rewritten, fetched] = await Promise.all([
        question.rewrite?.(),
        this.mentions.fetch(caller, mentions),
      ]);
      mentioned = fetched;
      usage = rewritten?.usage ?? null;
      if (!rewritten || rewritten.words === query) return searchFor();
      if (rewritten.asAskedFirst) {
        const outcome = await searchFor();
        if (standsByItself(outcome)) return outcome;
      }
      return searchFor(rewritten.words);
    };
    const { answer, receiptId, rateLimit } = await this.receipts.metered(
      caller,
      search,
      'chat',
      conversation,
    );
    const found = 'results' in answer ? answer.results : [];
    return {
      caller,
      question,
      standalone,
      usage,
      receiptId,
      rateLimit,
      started,
      evidence: found,
      noEvidence: 'results' in answer ? null : sentenceOf(answer),
      notices: mentioned.notices,
      searchTimeMs: this.elapsed(started),
    };
  }

  /**
   * Streams the answer at the consumer's pace. Text that was sent is stored even if the consumer
   * leaves.
   *
   * @throws ModelError or the store's errors, also in the middle; if the model failed, the charge
   * is returned.
   */
  async *answer(turn: BegunTurn, gone: AbortSignal): AsyncGenerator<ChatPiece> {
    const began = this.clock.monotonic();
    const answerSoFar = { text: '', usage: turn.usage, notices: [...turn.notices] };
    const marks = new CitationMarks(turn.evidence.length);
    let finished = false;
    try {
      for await (const token of this.tokens(turn, marks, answerSoFar, gone)) {
        answerSoFar.text += token;
        if (answerSoFar.text.length > MOST_CHARACTERS) throw tooLong();
        yield { type: 'token', token };
      }
      finished = true;
    } catch (error) {
      finished = !gone.aborted;
      if (finished) await this.giveBack(turn);
      throw error;
    } finally {
      if (!finished) await this.keep(turn, answerSoFar, marks, 'abandoned');
    }
    await this.keep(
      turn,
      answerSoFar,
      marks,
      turn.noEvidence === null ? 'answered' : 'no_evidence',
    );
    yield { type: 'done', summary: this.summary(turn, marks, answerSoFar.notices, began) };
  }

  private async *tokens(
    turn: BegunTurn,
    marks: CitationMarks,
    answerSoFar: { usage: ChatUsage | null; text: string; readonly notices: string[] },
    gone: AbortSignal,
  ): AsyncGenerator<string> {
    if (turn.noEvidence !== null) {
      yield turn.noEvidence;
      return;
    }
    const { standalone } = turn;
    const { request, history = [] } = turn.question;
    const asked = {
      instructions: INSTRUCTIONS,
      history,
      // Without a turn that fits nothing shows the model what the question's own words refer to.
      question: history.length === 0 ? (standalone ?? request.query) : request.query,
      standalone,
      evidence: turn.evidence.map(evidenceOf),
    };
    const { usage, truncated } = yield* markedAnswer(this.model, asked, marks, gone);
    answerSoFar.usage = addUsage(turn.usage, usage);
    answerSoFar.notices.push(
      ...answerNotices({ words: answerSoFar.text !== '', cited: marks.cited.size, truncated }),
    );
    if (answerSoFar.text === '') yield NOTHING_TO_SAY;
  }

  /**
   * Returns the charge for a failed model. If that cannot be stored, the failure itself says more.
   */
  async giveBack({ caller, receiptId }: BegunTurn): Promise<void> {
    await this.costly.giveBack({ caller, metric: 'chat' }, receiptId).catch((error: unknown) => {
      this.logger.error(
        { err: error, receipt_id: receiptId },
        'quota: refunding a failed answer failed',
      );
    });
  }

  private keep(
    { caller, receiptId, noEvidence, question }: BegunTurn,
    { text, usage }: { readonly text: string; readonly usage: ChatUsage | null },
    { cited }: CitationMarks,
    outcome: 'answered' | 'no_evidence' | 'abandoned',
  ): Promise<void> {
    const model = noEvidence === null ? this.model.id : null;
    return this.answers.save(
      caller,
      receiptId,
      { text, usage, cited: [...cited], outcome, model },
      question.conversation,
    );
  }

  private summary(
    { evidence, receiptId, noEvidence, searchTimeMs, started }: BegunTurn,
    { cited }: CitationMarks,
    notices: readonly string[],
    began: number,
  ): ChatSummaryView {
    return {
      citations: citationsOf(evidence, cited),
      search_time_ms: searchTimeMs,
      completion_time_ms: this.elapsed(began),
      total_time_ms: this.elapsed(started),
      model_used: noEvidence === null ? this.model.id : 'none',
      receipt_id: receiptId,
      ...(notices.length > 0 && { notices: [...notices] }),
    };
  }

  private elapsed(since: number): number {
    return Math.round((this.clock.monotonic() - since) * 1_000) / 1_000;
  }
}

const NOTHING_TO_SAY = 'The passages found do not contain anything that answers this question.';

function sentenceOf({ message, suggestions }: NoEvidence): string {
  return [message, ...suggestions].map((sentence) => sentence.replace(/[^.!?]$/, '$&.')).join(' ');
}

function tooLong(): FootnoteError {
  return new ModelError('The answer of the model is too long', { kind: 'bad_answer' });
}
