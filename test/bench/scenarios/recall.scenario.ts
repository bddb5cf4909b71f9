import { join } from 'node:path';

import { createLocalEmbedder } from '#models';
import { analyzeQuery, MEANING_ID, modelProfile, rank } from '#retrieval';
import { type Candidate, type LiveSource, openSegmentIndex, type SearchIndex } from '#search-index';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo } from '../corpus.js';
import { distribution } from '../measure.js';
import { makeQueries, makeSentences } from '../queries.js';
import { type Figure, loadAverage } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const CHUNKS = 58_000;
const QUERIES_OF_A_KIND = 100;
/** Candidates of a retriever, as in a search. */
const LIMIT = 200;
const SHOWN = 10;
const RECALL_TARGETS = { [SHOWN]: 0.999, [LIMIT]: 0.99 } as const;
const SAME_LIST_TARGET = 0.99;

/**
 * Measures how many of the nearest vectors two steps find, by kind of query. It also compares the
 * first results of the whole ranking. Both ways take turns in one process.
 */
export const recallScenario: Scenario = {
  name: 'recall',
  async run({ repositories, scratch, sizes, say, note }: BenchContext) {
    const [chunks = CHUNKS] = sizes ?? [];
    const service = await TwoTenantService.start(ROOMY);
    let index: SearchIndex | undefined;
    try {
      const filled = await fillTo(service.first, repositories, chunks, scratch);
      note('chunks', String(filled.chunks));
      const queries = await queriesByKind(service);
      await service.stop();
      index = await openSegmentIndex({ directory: join(service.dataDir, 'index') });
      const scope = await index.generations();
      const figures: Figure[] = [];
      const ranked: number[] = [];
      for (const [kind, some] of Object.entries(queries)) {
        const measured = await compare(index, scope, some, filled.chunks);
        figures.push(...recallFigures(kind, measured));
        ranked.push(...measured.map(({ isSameList }) => (isSameList ? 1 : 0)));
        figures.push(timeFigure(kind, measured));
        say(`${kind}: ${some.length} queries`);
      }
      note('load', loadAverage());
      const same = mean(ranked);
      figures.push({
        what: `first ${SHOWN} of the ranking, in the same order`,
        measured: `${(100 * same).toFixed(1)} % of ${ranked.length} queries`,
        target: `≥ ${100 * SAME_LIST_TARGET} %`,
        met: same >= SAME_LIST_TARGET,
        raw: { same, queries: ranked.length },
      });
      return figures;
    } finally {
      await index?.close();
      await service.dispose();
    }
  },
};

type Queries = Readonly<Record<'names' | 'words' | 'sentences', readonly string[]>>;

async function queriesByKind({ first }: TwoTenantService): Promise<Queries> {
  const both = await makeQueries(first, 2 * QUERIES_OF_A_KIND);
  return {
    names: both.filter((_, at) => at % 2 === 0),
    words: both.filter((_, at) => at % 2 === 1),
    sentences: await makeSentences(first, QUERIES_OF_A_KIND),
  };
}

interface Compared {
  /** Share of the nearest that both have, by their number. */
  readonly recall: Readonly<Record<number, number>>;
  readonly isSameList: boolean;
  /** Milliseconds of the whole search in the index. */
  readonly exactMs: number;
  readonly stepsMs: number;
}

async function compare(
  index: SearchIndex,
  scope: readonly LiveSource[],
  queries: readonly string[],
  chunks: number,
): Promise<readonly Compared[]> {
  const compared: Compared[] = [];
  for (const text of queries) {
    const exact = await search(index, scope, text, true, chunks);
    const steps = await search(index, scope, text, false, chunks);
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

async function search(
  index: SearchIndex,
  scope: readonly LiveSource[],
  text: string,
  isExact: boolean,
  chunks: number,
) {
  const query = analyzeQuery(text);
  const vector = await embedder.embedQuery(text);
  const asked = {
    tenants: [...new Set(scope.map(({ tenantId }) => tenantId))],
    scope,
    corpus: scope,
    vectorFor: () => Promise.resolve(vector),
    limit: LIMIT,
    isExact,
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

function recallFigures(kind: string, compared: readonly Compared[]): readonly Figure[] {
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

function timeFigure(kind: string, compared: readonly Compared[]): Figure {
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

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
