import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { answerability, multiplyOdds } from './answerability.js';
import { CandidateInput } from './candidate-input.js';
import { collapseRepeats } from './collapse.js';
import { Copies } from './copies.js';
import { boostCoherentFiles, boostCoveringFiles, saturateFiles } from './file-steps.js';
import { askedFiles, boostAskedFiles, boostNames, boostSpelledOut } from './name-boosts.js';
import { namedPlaces } from './named-places.js';
import { applyPathPriors } from './place-priors.js';
import { queryLanguage } from './query-language.js';
import type {
  CorpusStatistics,
  RankCandidate,
  RankedChunk,
  RankOptions,
  RankStep,
} from './rank.types.js';
import type { RankInput } from './rank-input.js';
import { RankTable, type TableOptions } from './rank-table.js';
import { rankedChunk } from './ranked-chunk.js';
import { ScoreExplanation } from './score-explanation.js';
import { coverageShare } from './sentence-share.js';
import { sortByRank } from './sort-by-rank.js';
import { collapseTranslations } from './translations.js';

/**
 * Scores and orders the candidates of the retrievers. Scores are absolute: 0–1 before the source
 * priority, comparable between queries, so that thresholds have a meaning. Leaves out irrelevant
 * candidates. One is irrelevant with a score of 0 (a priority of 0 included). It is also irrelevant
 * without a query term, without a definition of a name in the query, and with a similarity under
 * the model's floor. The same input always gives the same list.
 */
export function rank<C extends RankCandidate>(
  query: AnalyzedQuery,
  candidates: readonly C[],
  statistics: CorpusStatistics,
  options: RankOptions,
): RankedChunk<C>[] {
  const input = new CandidateInput(candidates);
  const { kept, table, copies, explanation } = rankTable(query, input, statistics, {
    ...options,
    sourceOf: (group) => options.sourceOf(input.sourceId(group)),
  });
  const candidateAt = (at: number): C => input.candidates[at] as C;
  return Array.from(kept, (at) => {
    const entry = {
      candidate: candidateAt(at),
      source: table.sourceOf(at),
      lexical: table.lexical[at] as number,
      semantic: table.semantic[at] as number,
      combined: table.combined[at] as number,
      score: table.score[at] as number,
    };
    return rankedChunk(entry, copies.of(at).map(candidateAt), explanation?.of(at));
  });
}

/** A ranking without an object of each chunk. */
export interface RankedTable {
  /** Chunks of the result, best first. */
  readonly kept: Uint32Array;
  /** The scores of each chunk. */
  readonly table: RankTable;
  readonly copies: Copies;
  /** Undefined without `RankOptions.explain`. */
  readonly explanation: ScoreExplanation | undefined;
}

/** Ranks as {@link rank}, for an index that reads the fields of its chunks in place. */
export function rankTable(
  query: AnalyzedQuery,
  input: RankInput,
  statistics: CorpusStatistics,
  options: TableOptions,
): RankedTable {
  const table = new RankTable(input, query, statistics, options);
  const explanation = options.explain ? new ScoreExplanation(table) : undefined;
  explanation?.recordRetrievers();

  const takes = (step: RankStep): boolean => !options.without?.has(step);
  const asked = askedFiles(query, table);
  const names = query.identifiers.filter((name) => !query.capitalised.has(name));
  if (takes('names')) {
    boostNames(query, table, statistics);
    boostAskedFiles(asked, table);
    boostSpelledOut(query, table);
    explanation?.record('names');
  }
  if (takes('coherence')) boostCoherentFiles(table);
  explanation?.record('coherence');
  if (takes('coverage')) boostCoveringFiles(table, statistics, coverageShare(query));
  explanation?.record('coverage');
  if (takes('priors'))
    applyPathPriors(table, {
      names: table.bitsOf(names),
      asked,
      places: namedPlaces(query.text, options.pathPatterns),
    });
  explanation?.record('priors');
  if (options.searched && asked.size === 0 && takes('answerability')) {
    const { chunks } = options.searched;
    multiplyOdds(table, answerability(query, table, names, { statistics, chunks }));
    explanation?.record('answerability');
  }

  multiplyPriorities(table);
  explanation?.record('priority');
  const ranked = takes('saturation') ? saturateFiles(table) : ordered(table);
  explanation?.record('saturation', ranked);
  const copies = new Copies();
  const languageOf = (): string => queryLanguage(query.text);
  const translated = collapseTranslations(table, ranked, languageOf, copies.add);
  return { kept: collapseRepeats(table, translated, copies.add), table, copies, explanation };
}

/** Keeps the scores before the source priority, and multiplies by it. */
function multiplyPriorities(table: RankTable): void {
  const { entries, combined, score } = table;
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    const before = score[at] as number;
    combined[at] = before;
    score[at] = before * table.sourceOf(at).priority;
  }
}

/** Returns the chunks with a score above 0 in rank order. */
function ordered(table: RankTable): Uint32Array {
  const { entries, score } = table;
  return sortByRank(
    table,
    entries.filter((at) => (score[at] as number) > 0),
  );
}
