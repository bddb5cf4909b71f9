import { FootnoteError } from '#contracts';
import type { SentenceEncoder } from '#models';
import { similarityFloorOf } from '#models/sentence/sentence-models';
import {
  type AnalyzedQuery,
  type CorpusStatistics,
  fuseSentences,
  isSentence,
  type ModelProfile,
  quantize,
  type RankedChunk,
} from '#retrieval';
import type { Candidate, SentenceIndex, SentenceQuery } from '#search-index';

import type { SearchMoment, UsedSentences } from './search-moment.js';
import type { SearchRun } from './search-run.js';
import { rankedSource, type ScopedSource } from './search-scope.js';

/** Chunks that the sentence retriever finds. */
const NEAREST = 100;

/** The vectors of sentences and their encoder; null without an installed one. */
export interface SentenceSearch {
  readonly index: SentenceIndex | null;
  readonly encoder: SentenceEncoder | null;
}

/** The vectors that a search must use, if its moment names any, and those that it used. */
interface SentenceRun extends Pick<SearchRun, 'sentences'> {
  readonly moment: Pick<SearchMoment, 'sentences'>;
}

/** Input of the retriever besides the ranking. */
export interface SentenceScope extends Pick<SentenceQuery, 'tenants' | 'vectorFor' | 'filter'> {
  readonly query: AnalyzedQuery;
  readonly statistics: CorpusStatistics;
  readonly run: SentenceRun;
  /** The sources whose results may be returned. */
  readonly scope: readonly ScopedSource[];
  readonly profileOf: (cosineModel: string | undefined) => ModelProfile;
}

/**
 * Returns a ranking that is fused with the nearest chunks by the sentence encoder, for sentences.
 * Only sources whose generation is completely refined are compared; the run records which ones.
 *
 * @throws FootnoteError `engine_unavailable` if the encoder does not answer, or if vectors that a
 * receipt names are not there; as `SearchIndex.candidates` does.
 */
export async function addSentences(
  search: SentenceSearch,
  ranked: readonly RankedChunk<Candidate>[],
  input: SentenceScope,
): Promise<readonly RankedChunk<Candidate>[]> {
  const { query, statistics, run, tenants, scope, vectorFor, profileOf, filter } = input;
  if (ranked.length === 0 || query.saysNothing || !isSentence(query)) return ranked;
  const allowed = scope.filter(({ priority }) => priority > 0);
  const used = await sentencesOf(search, query.text, run, allowed);
  const index = search.index;
  if (!used || !index) return ranked;
  run.sentences = used;
  const compared = new Set(used.sourceIds);
  const nearest = await index.nearest({
    tenants,
    scope: allowed.map(({ source }) => source).filter(({ sourceId }) => compared.has(sourceId)),
    terms: query.terms,
    vectorFor,
    encoder: used.encoder,
    vector: used.vector,
    limit: NEAREST,
    ...(filter ? { filter } : {}),
  });
  const bySource = new Map(allowed.map((scoped) => [scoped.source.sourceId, scoped]));
  return fuseSentences(ranked, nearest, {
    query,
    statistics,
    pathPatterns: filter?.paths ?? [],
    profileOf,
    similarityFloor: similarityFloorOf(used.encoder),
    sourceOf: (sourceId) => rankedSource(bySource.get(sourceId)),
  });
}

/** Returns the vectors to compare: those of the receipt for a replay, otherwise new ones. */
async function sentencesOf(
  { index, encoder }: SentenceSearch,
  text: string,
  { moment }: SentenceRun,
  allowed: readonly ScopedSource[],
): Promise<UsedSentences | undefined> {
  const recorded = moment.sentences;
  if (recorded === null) return undefined;
  if (recorded) {
    const wanted = new Set(recorded.sourceIds);
    const sources = allowed.filter(({ source }) => wanted.has(source.sourceId));
    const isThere =
      index?.encoder === recorded.encoder && sources.every(({ source }) => index.covers(source));
    if (isThere) return recorded;
    throw new FootnoteError(
      'engine_unavailable',
      `The search used vectors of ${recorded.encoder}, which the index lacks now; retry later`,
      { retryAfter: 60 },
    );
  }
  if (!index || encoder?.id !== index.encoder) return undefined;
  const sourceIds = allowed
    .filter(({ source }) => index.covers(source))
    .map(({ source }) => source.sourceId)
    .sort();
  if (sourceIds.length === 0) return undefined;
  const vector = quantize(await encoder.embedQuery(text));
  return vector.scale === 0 ? undefined : { encoder: encoder.id, vector, sourceIds };
}
