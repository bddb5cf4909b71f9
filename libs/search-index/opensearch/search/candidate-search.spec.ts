import { describe, expect, it } from '@jest/globals';

import { RANKING_META } from '#test/support/ranking-meta';

import type { CandidateQuery, LiveSource } from '../../search-index.port.js';
import { rowIdColumn } from '../chunk-row.js';
import type { IndexLayout } from '../index-layout.js';
import { encodeRanking } from '../ranking-data.js';
import { engineUnavailable, type SearchServer, type ServerRequest } from '../server.js';
import { SourceRecords } from '../source-records.js';
import { AcceptedFiles } from './accepted-files.js';
import { CandidateSearch } from './candidate-search.js';
import { DocumentFrequencies } from './document-frequencies.js';
import { RankingRows } from './ranking-rows.js';

const LIVE: LiveSource = { tenantId: 't', sourceId: 's', generation: 1 };
const DIMENSIONS = 16;
const QUERY: CandidateQuery = {
  tenants: ['t'],
  scope: [LIVE],
  corpus: [LIVE],
  terms: ['socket'],
  identifiers: [],
  limit: 10,
  vectorFor: () => Promise.resolve(new Float32Array(DIMENSIONS).fill(0.25)),
};

type Kind = 'records' | 'frequencies' | 'words' | 'vectors' | 'rows';

interface Body {
  readonly aggs?: unknown;
  readonly query: { readonly bool?: { readonly filter: readonly object[]; should?: unknown } };
}

/**
 * A server with one row. Each request is answered only when nothing but answers can happen, so that
 * the rounds of answers are the requests in sequence.
 */
class Server {
  /** The kinds of requests that waited together, by round. */
  readonly rounds: Kind[][] = [];
  change = 7;
  isAway = false;
  private readonly waiting: { readonly kind: Kind; readonly answer: () => void }[] = [];
  private isAnswering = false;

  request(request: ServerRequest): Promise<unknown> {
    const { ids } = request.body as { ids: readonly string[] };
    const entry = {
      generation: 1,
      chunks: 30_000,
      total_length: 90_000,
      fingerprint: 'f',
      embedder: { id: RANKING_META.embedder, dimensions: DIMENSIONS },
    };
    return this.after('records', () => {
      if (this.isAway) throw engineUnavailable();
      const record = { index_id: 'i', change: this.change, generations: [entry] };
      return { status: 200, body: { docs: ids.map(() => ({ _source: record })) } };
    });
  }

  searches(_index: string, searches: readonly { readonly body: Body }[]): Promise<unknown> {
    const [first] = searches;
    if (!first) return Promise.resolve([]);
    const kind = kindOf(first.body);
    return this.after(kind, () => {
      if (this.isAway) throw engineUnavailable();
      return searches.map(() => answerOf(kind));
    });
  }

  private after<Answer>(kind: Kind, answer: () => Answer): Promise<Answer> {
    const turn = new Promise<void>((resolve) => {
      this.waiting.push({ kind, answer: resolve });
    });
    if (!this.isAnswering) {
      this.isAnswering = true;
      setImmediate(() => this.answerAll());
    }
    return turn.then(answer);
  }

  private answerAll(): void {
    this.isAnswering = false;
    const waiting = this.waiting.splice(0);
    this.rounds.push(waiting.map(({ kind }) => kind).sort());
    for (const { answer } of waiting) answer();
  }
}

function kindOf({ aggs, query }: Body): Kind {
  if (aggs) return 'frequencies';
  if (!query.bool) return 'vectors';
  return query.bool.should ? 'words' : 'rows';
}

function answerOf(kind: Kind): object {
  if (kind === 'frequencies') return { aggregations: { terms: { buckets: [{ doc_count: 3 }] } } };
  const data = encodeRanking(
    { ...RANKING_META, path: 'a.ts' },
    0.01,
    new Int8Array(DIMENSIONS).fill(3),
    [['socket', 2]],
  );
  const fields = { row_id: [rowIdColumn('c.1')], ranking: [data.toString('base64')] };
  return { hits: { hits: [{ _id: 'c.1', _score: 1, fields }] } };
}

function opened(keptMs = 1_000) {
  const server = new Server();
  let now = 0;
  const layout = {
    id: 'i',
    chunks: 'chunks',
    records: 'records',
    currentId: async () => 'i',
    readId: async () => 'i',
  } as unknown as IndexLayout;
  const engine = server as unknown as SearchServer;
  const search = new CandidateSearch({
    server: engine,
    layout,
    records: new SourceRecords(engine, layout, keptMs, () => now),
    frequencies: new DocumentFrequencies(engine, layout),
    files: new AcceptedFiles(engine, layout),
    rankings: new RankingRows(engine, layout, 1e6),
  });
  const later = (milliseconds: number) => (now += milliseconds);
  return { server, search, later };
}

const idsOf = async (search: CandidateSearch, query = QUERY) =>
  (await search.run(query)).candidates.map(({ chunkId }) => chunkId);

describe('a search for candidates', () => {
  it('sends the vector with the frequencies, and reads its rows while words are searched', async () => {
    const { server, search } = opened();
    expect(await idsOf(search)).toEqual([RANKING_META.chunk_id]);
    expect(server.rounds).toEqual([['records'], ['frequencies', 'vectors'], ['rows', 'words']]);
  });

  it('takes one round with known frequencies and rows, two with new terms', async () => {
    const { server, search } = opened();
    await idsOf(search);
    server.rounds.length = 0;
    expect(await idsOf(search)).toEqual([RANKING_META.chunk_id]);
    expect(server.rounds).toEqual([['vectors', 'words']]);
    server.rounds.length = 0;
    expect(await idsOf(search, { ...QUERY, terms: ['retry'] })).toEqual([RANKING_META.chunk_id]);
    expect(server.rounds).toEqual([['frequencies', 'vectors'], ['words']]);
  });

  it('reads records that are too old to be trusted while it searches', async () => {
    const { server, search, later } = opened();
    await idsOf(search);
    later(1_001);
    server.rounds.length = 0;
    expect(await idsOf(search)).toEqual([RANKING_META.chunk_id]);
    expect(server.rounds).toEqual([['records', 'vectors', 'words']]);
  });

  it('searches again if the records changed at the same time', async () => {
    const { server, search, later } = opened();
    await idsOf(search);
    later(1_001);
    server.change = 8;
    server.rounds.length = 0;
    expect(await idsOf(search)).toEqual([RANKING_META.chunk_id]);
    expect(server.rounds).toEqual([
      ['records', 'vectors', 'words'],
      ['vectors', 'words'],
    ]);
  });

  it('fails as its searches do, and leaves no rejection behind', async () => {
    const { server, search, later } = opened();
    await idsOf(search);
    server.isAway = true;
    for (const wait of [0, 1_001]) {
      later(wait);
      server.rounds.length = 0;
      await expect(search.run(QUERY)).rejects.toMatchObject({ code: 'engine_unavailable' });
      // A server that hangs costs one time limit, not one more for each step.
      expect(server.rounds).toHaveLength(1);
    }
    await expect(search.run({ ...QUERY, terms: ['new'] })).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
    server.isAway = false;
    expect(await idsOf(search)).toEqual([RANKING_META.chunk_id]);
  });

  it('asks for statistics alone if nothing is in scope', async () => {
    const { server, search } = opened();
    const { candidates, statistics } = await search.run({ ...QUERY, scope: [] });
    expect([candidates, statistics.documentFrequencies]).toEqual([[], [3]]);
    expect(server.rounds).toEqual([['records'], ['frequencies']]);
  });
});
