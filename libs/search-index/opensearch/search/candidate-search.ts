import { quantise, type QuantisedVector } from '#retrieval';

import type { Candidate, CandidateQuery, Candidates } from '../../search-index.port.js';
import type { IndexLayout } from '../index-layout.js';
import type { RankingData } from '../ranking-data.js';
import type { HitsPage } from '../row-reader.js';
import type { SearchServer } from '../server.js';
import type { GenerationEntry, SourceRecords } from '../source-records.js';
import type { AcceptedFiles } from './accepted-files.js';
import type { DocumentFrequencies } from './document-frequencies.js';
import { ChunkCompleter, type FoundChunk } from './found-chunk.js';
import type { RankingRows } from './ranking-rows.js';
import { searchLegs, type Leg, type LegSearch } from './search-legs.js';

export interface CandidateSearchDependencies {
  readonly server: SearchServer;
  readonly layout: IndexLayout;
  readonly records: SourceRecords;
  readonly frequencies: DocumentFrequencies;
  readonly files: AcceptedFiles;
  readonly rankings: RankingRows;
}

/**
 * Finds candidates with one request of several searches, and reads with another what is not known yet of the rows they
 * found. The server's scores are near the ranker's but not equal: lengths are rounded and the vector index is approximate.
 * So each leg asks for more than the limit, completes what came, and is cut by exact scores, ties by chunk id, as the
 * embedded engine cuts.
 */
export class CandidateSearch {
  constructor(private readonly dependencies: CandidateSearchDependencies) {}

  async run(query: CandidateQuery): Promise<Candidates> {
    const { records, frequencies, files } = this.dependencies;
    const { scope, corpus, terms, limit } = query;
    const entries = await records.loaded([...corpus, ...scope]);
    const scoped = entries.slice(corpus.length);
    const [statistics, vectors] = await Promise.all([
      frequencies.statistics(corpus, entries.slice(0, corpus.length), terms),
      queryVectors(scoped, query.vectorFor),
    ]);
    const searched = query.filter ? null : scoped.reduce((sum, { chunks }) => sum + chunks, 0);
    if (scope.length === 0) return { candidates: [], statistics, searched };
    const accepted = query.filter ? await files.filter(scope, scoped, query.filter) : null;
    if (accepted === 'nothing') return { candidates: [], statistics, searched };
    const size = limit + Math.max(32, Math.ceil(limit / 4));
    const legs = searchLegs(query, size, { sources: scope, entries: scoped, accepted }, statistics, vectors);
    const byId = new Map(scope.map((source) => [`${source.tenantId}/${source.sourceId}`, source]));
    const sourceOf = (tenantId: string, sourceId: string) => byId.get(`${tenantId}/${sourceId}`);
    const completer = new ChunkCompleter({ terms, statistics, vectors, sourceOf });
    const tenants = [...new Set(scope.map(({ tenantId }) => tenantId))];
    const candidates = await this.search(legs, tenants, completer, limit, size);
    return { candidates: candidates.sort(byChunkId), statistics, searched };
  }

  private async search(
    legs: readonly Leg[],
    tenants: readonly string[],
    completer: ChunkCompleter,
    limit: number,
    size: number,
  ): Promise<Candidate[]> {
    const pages = await this.found(
      legs.flatMap(({ searches }) => searches),
      limit,
      size,
    );
    const rows = pages.map((page) => page.hits.hits.map(({ fields }) => fields?.row_id?.[0] ?? ''));
    const data = await this.dependencies.rankings.read(new Set(rows.flat()), tenants);
    const candidates = new Set<Candidate>();
    let first = 0;
    for (const { searches, scoreOf, aboveZero } of legs) {
      const found = new Set<FoundChunk>();
      for (const row of rows.slice(first, (first += searches.length)).flat()) {
        const chunk = completer.complete(data.get(row) as RankingData);
        if (!aboveZero || scoreOf(chunk) > 0) found.add(chunk);
      }
      const best = [...found].sort((a, b) => scoreOf(b) - scoreOf(a) || byChunkId(a.candidate, b.candidate));
      for (const { candidate } of best.slice(0, limit)) candidates.add(candidate);
    }
    return [...candidates];
  }

  /** What searches found; where the cut fell among equals, in the order in which equals are cut. */
  private async found(searches: readonly LegSearch[], limit: number, size: number): Promise<readonly HitsPage[]> {
    const { server, layout } = this.dependencies;
    const pages = [...(await server.searches<HitsPage>(layout.chunks, searches))];
    const again = searches.flatMap(({ routing, ordered }, at) =>
      ordered && cutsEquals(pages[at], limit, size) ? [{ at, routing, body: ordered }] : [],
    );
    const ordered = await server.searches<HitsPage>(layout.chunks, again);
    for (const [index, { at }] of again.entries()) pages[at] = ordered[index] as HitsPage;
    return pages;
  }
}

/** Whether the last that counts and the last that came are equal: then others that are equal may not have come. */
function cutsEquals(page: HitsPage | undefined, limit: number, size: number): boolean {
  const hits = page?.hits.hits ?? [];
  return hits.length === size && hits[limit - 1]?._score === hits.at(-1)?._score;
}

async function queryVectors(
  entries: readonly GenerationEntry[],
  vectorFor: CandidateQuery['vectorFor'],
): Promise<ReadonlyMap<string, QuantisedVector>> {
  const models = [...new Set(entries.map(({ embedder }) => embedder.id))];
  const vectors = new Map<string, QuantisedVector>();
  await Promise.all(
    models.map(async (model) => {
      const vector = await vectorFor(model);
      const quantised = vector && quantise(vector);
      if (quantised && quantised.scale > 0) vectors.set(model, quantised);
    }),
  );
  return vectors;
}

function byChunkId(a: Candidate, b: Candidate): number {
  return a.chunkId < b.chunkId ? -1 : a.chunkId > b.chunkId ? 1 : a.sourceId < b.sourceId ? -1 : 1;
}
