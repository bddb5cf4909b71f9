import { createLocalEmbedder } from '#models';
import { analyzeQuery, MEANING_ID, modelProfile, rank } from '#retrieval';
import { type Candidate, RETRIEVAL_VERSION, type SearchIndex } from '#search-index';
import type { TwoTenantService } from '#test/support/two-tenants';

import { distribution } from './measure.js';
import type { Part } from './parts-of-content.js';
import { makeQueries, makeSentences } from './queries.js';
import type { Figure } from './report.js';

const QUERIES_OF_A_KIND = 100;
/** Candidates of a retriever, as in a search. */
const LIMIT = 200;
const SHOWN = 10;
const RECALL_TARGETS = { [SHOWN]: 0.999, [LIMIT]: 0.99 } as const;
const SAME_LIST_TARGET = 0.99;

/** Queries by their kind. */
export type QueriesByKind = Readonly<Record<'names' | 'words' | 'sentences', readonly string[]>>;

/** Makes queries from the content of the first tenant. */
export async function queriesByKind({ first }: TwoTenantService): Promise<QueriesByKind> {
  const both = await makeQueries(first, 2 * QUERIES_OF_A_KIND);
  return {
    names: both.filter((_, at) => at % 2 === 0),
    words: both.filter((_, at) => at % 2 === 1),
    sentences: await makeSentences(first, QUERIES_OF_A_KIND),
  };
}

/** One query, answered both ways. */
export interface Compared {
  /** Share of the nearest that both have, by their number. */
  readonly recall: Readonly<Record<number, number>>;
  readonly isSameList: boolean;
  /** Milliseconds of the whole search in the index. */
  readonly exactMs: number;
  readonly stepsMs: number;
}

/** Searches a part with every vector compared and in two steps, in turn. */
export async function compareWays(
  index: SearchIndex,
  part: Part,
  queries: readonly string[],
): Promise<readonly Compared[]> {
  const compared: Compared[] = [];
  for (const text of queries) {
    const exact = await search(index, part, text, true);
    const steps = await search(index, part, text, false);
    compared.push({
      recall: Object.fromEntries(
        [SHOWN, LIMIT].map((count) => [count, shareOf(exact.nearest, steps.nearest, count)]),
      ),
      isSameList: exact.list.join() === steps.list.join(),
      exactMs: exact.milliseconds,
      stepsMs: steps.milliseconds,
    });
  }
  return compared;
}

const embedder = createLocalEmbedder({ id: MEANING_ID });

async function search(index: SearchIndex, part: Part, text: string, isExact: boolean) {
  const { scope, corpus, chunks, filter } = part;
  const query = analyzeQuery(text);
  const vector = await embedder.embedQuery(text);
  const asked = {
    tenants: [...new Set(corpus.map(({ tenantId }) => tenantId))],
    scope,
    corpus,
    vectorFor: () => Promise.resolve(vector),
    limit: LIMIT,
    retrievalVersion: isExact ? 1 : RETRIEVAL_VERSION,
    ...(filter && { filter }),
  };
  const { candidates: nearest } = await index.candidates({ ...asked, terms: [], identifiers: [] });
  const { terms, identifiers } = query;
  const started = performance.now();
  const { candidates, statistics } = await index.candidates({ ...asked, terms, identifiers });
  const milliseconds = performance.now() - started;
  const list = rank(query, candidates, statistics, {
    searched: { chunks },
    profileOf: (model) => modelProfile(model),
    sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
  });
  return {
    nearest: byCosine(nearest),
    list: list.slice(0, SHOWN).map(({ candidate }) => candidate.chunkId),
    milliseconds,
  };
}

function byCosine(candidates: readonly Candidate[]): readonly string[] {
  return [...candidates]
    .sort((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
    .map(({ chunkId }) => chunkId);
}

function shareOf(exact: readonly string[], steps: readonly string[], count: number): number {
  const wanted = exact.slice(0, count);
  const found = new Set(steps.slice(0, count));
  return wanted.length === 0
    ? 1
    : wanted.filter((chunkId) => found.has(chunkId)).length / wanted.length;
}

/** Returns the share of the nearest vectors that two steps find. */
export function recallFigures(kind: string, compared: readonly Compared[]): readonly Figure[] {
  return Object.entries(RECALL_TARGETS).map(([count, target]): Figure => {
    const shares = compared.map(({ recall }) => recall[Number(count)] ?? 0).sort((a, b) => a - b);
    const [least = 0] = shares;
    const fifth = shares[Math.floor(shares.length / 20)] ?? 0;
    const average = mean(shares);
    return {
      what: `recall of the nearest ${count}, ${kind}`,
      measured:
        `mean ${average.toFixed(4)}, fifth percentile ${fifth.toFixed(3)}, ` +
        `least ${least.toFixed(3)}`,
      target: `mean ≥ ${target}`,
      met: average >= target,
      raw: { average, fifth, least },
    };
  });
}

/** Returns the durations of the searches of a kind, both ways. */
export function timeFigure(kind: string, compared: readonly Compared[]): Figure {
  const exact = distribution(compared.map(({ exactMs }) => exactMs));
  const steps = distribution(compared.map(({ stepsMs }) => stepsMs));
  return {
    what: `candidates in one thread, ${kind}: every vector compared, and in two steps`,
    measured:
      `p50 ${exact.p50.toFixed(2)} and ${steps.p50.toFixed(2)} ms, ` +
      `p95 ${exact.p95.toFixed(2)} and ${steps.p95.toFixed(2)} ms`,
    raw: { exactP50: exact.p50, stepsP50: steps.p50, exactP95: exact.p95, stepsP95: steps.p95 },
  };
}

/** Returns for how many queries both ways give the same first results. */
export function sameListFigure(compared: readonly Compared[]): Figure {
  const same = mean(compared.map(({ isSameList }) => (isSameList ? 1 : 0)));
  return {
    what: `first ${SHOWN} of the ranking, in the same order`,
    measured: `${(100 * same).toFixed(1)} % of ${compared.length} queries`,
    target: `≥ ${100 * SAME_LIST_TARGET} %`,
    met: same >= SAME_LIST_TARGET,
    raw: { same, queries: compared.length },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
