import { setImmediate as nextTurn } from 'node:timers/promises';

import { isFootnoteError, type NoEvidence } from '#contracts';
import {
  type AnalyzedQuery,
  analyzeQuery,
  isSentence,
  nothingFound,
  raiseSecondPassage,
  type RankedChunk,
  refusalReasons,
  refused,
} from '#retrieval';
import type { Candidate, RankedCandidates } from '#search-index';

import { Conflicts } from './conflicts.js';
import { evidenceBeforeTexts, isEvidenceOf } from './evidence-before-texts.js';
import { rerankWarnings } from './rerank-results.js';
import { asRanked, type ResultChoice } from './result-choice.js';
import { searchResponse } from './search-answer.js';
import type { SearchMoment } from './search-moment.js';
import { outcomeOf, type SearchEvidence, type SearchOutcome } from './search-outcome.js';
import type { SearchRequest } from './search-request.js';
import type { BegunSearch, SearchRun } from './search-run.js';
import { leftOut } from './search-scope.js';
import { SearchSteps } from './search-steps.js';
import type { SearchableSource } from './searchable-source.js';
import { withinBudget } from './within-budget.js';

/** Rows of a ranking that are read if no step needs all of them. */
const FIRST_ROWS = 50;

/** The cache of what generations lost. */
export interface MissingContent {
  /** Reads it again, unless that was just done. */
  refreshUnlessFresh(): Promise<void>;
}

/** Options of one hybrid search. */
export interface HybridSearchOptions {
  /** Selects the ranked chunks to answer with. Default: the best, in order. */
  readonly choose?: ResultChoice;
  /** Aborted by a caller that needs the answer no more. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives the evidence of the answer before its texts are read, where it does not depend on
   * them. The outcome then has the scores of this evidence, or the search fails. A search that
   * begins again in between reports again.
   */
  readonly onEvidence?: (evidence: SearchEvidence) => void;
}

/** The search that takes each of the steps once. */
export class HybridSearch {
  constructor(
    private readonly steps: SearchSteps,
    private readonly conflicts: Conflicts,
    private readonly contentGaps: MissingContent,
  ) {}

  /**
   * @param momentOf returns the moment to search at; called again when content was replaced in
   * between, or cannot be loaded.
   * @throws the reason of the signal; what runs in the index ends by itself.
   */
  async run(
    request: SearchRequest,
    momentOf: () => SearchMoment,
    options: HybridSearchOptions = {},
  ): Promise<SearchOutcome> {
    const begun = this.steps.begin(request, options.signal);
    const moment = momentOf();
    try {
      return await this.answer(begun, moment, options);
    } catch (error) {
      return this.answer(begun, await this.momentAfter(error, moment, momentOf), options);
    }
  }

  private async answer(
    begun: BegunSearch,
    moment: SearchMoment,
    { choose = asRanked, onEvidence }: HybridSearchOptions,
  ): Promise<SearchOutcome> {
    const { request } = begun;
    const asked = { kind: 'search', request } as const;
    const run = this.steps.scope(begun, moment);
    const query = analyzeQuery(request.query);
    const found = await this.steps.ranked(query, run);
    const refusal = withoutEvidence(run, found?.length ?? 0, found?.first(1)[0]?.score);
    if (refusal) return outcomeOf(asked, run, refusal, []);
    const files = found ? rowsFor(found, query, request.top_k, choose) : [];
    const shown = await this.steps.passages(query, found, files, run);
    const fused = await this.steps.sentences(query, found, shown, run);
    // Any other choice orders the passages itself.
    const ranked =
      choose === asRanked
        ? await this.steps.reranked(query, raiseSecondPassage(fused, query), run)
        : fused;
    const offered = found ? choose(ranked, { request, query, statistics: found.statistics }) : [];
    const certain = onEvidence && evidenceBeforeTexts(asked, run, { query, offered, ranked });
    if (certain) {
      onEvidence(certain);
      // What its receiver begins in this turn goes on while the texts are read.
      await nextTurn();
    }
    const results = await this.steps.results(offered, query, run);
    const fitting = await withinBudget(results, request.max_tokens);
    const parts = {
      results: fitting,
      hits: fitting,
      conflicts: await this.conflicts.among(fitting, ranked, run),
      warnings: rerankWarnings(run.reranker),
    };
    const answer = searchResponse(request, run.scope, moment.policy, parts, run.elapsed());
    if (certain && isEvidenceOf(certain, fitting)) return { ...certain, answer };
    return outcomeOf(asked, run, answer, ranked);
  }

  /**
   * Returns the moment to search again at after a failure: a generation was replaced in between, or
   * cannot be loaded.
   *
   * @throws the failure itself where neither is so
   */
  async momentAfter(
    error: unknown,
    first: SearchMoment,
    momentOf: () => SearchMoment,
  ): Promise<SearchMoment> {
    if (!isFootnoteError(error, 'engine_unavailable')) throw error;
    await this.contentGaps.refreshUnlessFresh();
    const second = momentOf();
    if (sameGenerations(first.sources, second.sources)) throw error;
    return second;
  }
}

/**
 * The payload that is answered when nothing was found or the policy refuses what was; undefined
 * when it may be answered.
 */
export function withoutEvidence(
  { request, moment, scope }: SearchRun,
  relevantCount: number,
  topScore = 0,
): NoEvidence | undefined {
  const reasons = refusalReasons(moment.policy, { relevantCount, topScore });
  if (reasons.length > 0)
    return refused(request.query, scope.searched.length, reasons, leftOut(scope));
  return relevantCount === 0
    ? nothingFound(request.query, scope.searched.length, leftOut(scope))
    : undefined;
}

/**
 * Returns the rows of a ranking that the steps after it read. Those of a sentence, a choice of
 * their own and contradictions between specifications look at all rows.
 */
function rowsFor(
  found: RankedCandidates,
  query: AnalyzedQuery,
  topK: number,
  choose: ResultChoice,
): readonly RankedChunk<Candidate>[] {
  if (choose !== asRanked || isSentence(query)) return found.all();
  const first = found.first(Math.max(FIRST_ROWS, topK));
  return first.some(({ candidate }) => candidate.chunkType === 'openapi') ? found.all() : first;
}

function sameGenerations(a: readonly SearchableSource[], b: readonly SearchableSource[]): boolean {
  const names = (sources: readonly SearchableSource[]) =>
    sources
      .map(({ sourceId, generation }) => `${sourceId}:${generation}`)
      .sort()
      .join();
  return names(a) === names(b);
}
