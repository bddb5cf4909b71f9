import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';

import { seeded } from '#platform';
import {
  type AnalyzedQuery,
  analyzeQuery,
  embedTerms,
  HASH_NGRAM_ID,
  modelProfile,
  rank,
} from '#retrieval';
import {
  type CandidateQuery,
  type Candidates,
  type LiveSource,
  openSegmentIndex,
  type SearchIndex,
} from '#search-index';

import { describeWhen } from '../support/describe-when.js';
import { type ChunkSketch, IndexedSource, uuidOf } from '../support/indexed-source.js';
import { OpenSearchIndices } from '../support/opensearch-server.js';
import { sketchPackage } from '../support/package-sketches.js';
import { tempDir } from '../support/temp-dir.js';

const TENANT = uuidOf('tenant');
const PACKAGES = ['fastify', 'pino', 'kafkajs', 'lru-cache', 'yaml'];
const QUERIES = 200;
/** Questions that the engines once answered differently. */
const KNOWN = ['content type parser', 'register a content type parser'];

jest.setTimeout(300_000);

describeWhen('OPENSEARCH_URL', 'the engines over five npm packages', (url) => {
  const indices = new OpenSearchIndices(url);
  const folder = tempDir('footnote-agreement-');
  let sources: readonly { readonly live: LiveSource; readonly sketches: readonly ChunkSketch[] }[];
  let engines: readonly SearchIndex[];

  beforeAll(async () => {
    engines = [await openSegmentIndex({ directory: folder.path }), await indices.open()];
    const packed: { live: LiveSource; sketches: ChunkSketch[] }[] = [];
    for (const name of PACKAGES) {
      const source = new IndexedSource(TENANT, uuidOf(name));
      const sketches = await sketchPackage(name);
      const manifest = source.manifest(1, [source.pack(sketches)]);
      for (const engine of engines) await engine.applyGeneration(manifest, source.readBlob);
      packed.push({ live: source.at(1), sketches });
    }
    sources = packed;
    // Short chunks of another tenant lower the average length of the server's index, and of nothing
    // else.
    const others = new IndexedSource(uuidOf('other tenant'), uuidOf('short chunks'));
    const short = Array.from({ length: 4_000 }, (_, at) => ({
      path: `${at}.ts`,
      text: `content type ${at}`,
    }));
    const manifest = others.manifest(1, [others.pack(short)]);
    await engines[1]?.applyGeneration(manifest, others.readBlob);
  });
  afterAll(async () => {
    await engines[0]?.close();
    await indices.dispose();
    folder.remove();
  });

  /**
   * Words of one chunk, or a name that it defines, and in which package to look; undefined looks in
   * all.
   */
  function questions(): { readonly text: string; readonly at: number | undefined }[] {
    const random = seeded(26);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const known = KNOWN.flatMap((text) => [
      { text, at: 0 },
      { text, at: undefined },
    ]);
    const made = Array.from({ length: QUERIES - known.length }, (_, index) => {
      const at = index % PACKAGES.length;
      const { text, defs = [] } = pick(sources[at]?.sketches ?? []);
      const words = text.match(/[A-Za-z]{3,}/g) ?? ['configuration'];
      const phrase = Array.from({ length: 2 + (index % 5) }, () => pick(words)).join(' ');
      return {
        text: index % 4 === 0 ? (defs[0] ?? phrase) : phrase,
        at: index % 2 === 0 ? at : undefined,
      };
    });
    return [...known, ...made];
  }

  it(`give the ranker the same candidates for ${QUERIES} questions, which it ranks and scores alike`, async () => {
    const differences: string[] = [];
    for (const { text, at } of questions()) {
      const query = analyzeQuery(text);
      const all = sources.map(({ live }) => live);
      const asked = queryOf(query, at === undefined ? all : all.slice(at, at + 1), all);
      const [embedded, distributed] = await Promise.all(
        engines.map((engine) => engine.candidates(asked)),
      );
      if (!embedded || !distributed) throw new Error('two engines were asked');
      expect(distributed.statistics).toEqual(embedded.statistics);
      expect(distributed.searched).toBe(embedded.searched);
      const [expected, found] = [ranked(query, embedded), ranked(query, distributed)];
      const [theirs, ours] = [idsOf(embedded), idsOf(distributed)];
      const missing = [...theirs].filter((id) => !ours.has(id)).length;
      const surplus = [...ours].filter((id) => !theirs.has(id)).length;
      const same = JSON.stringify(expected) === JSON.stringify(found);
      if (missing + surplus > 0 || !same) {
        differences.push(
          `${text} (${at ?? 'all'}): ${missing} missing, ${surplus} surplus, ${same ? 'same' : 'other'} list`,
        );
      }
    }
    expect(differences).toEqual([]);
  });
});

function idsOf({ candidates }: Candidates): ReadonlySet<string> {
  return new Set(candidates.map(({ chunkId }) => chunkId));
}

/** The list that a search would show, with its scores. */
function ranked(
  query: AnalyzedQuery,
  { candidates, statistics, searched }: Candidates,
): readonly string[] {
  const list = rank(query, candidates, statistics, {
    searched: { chunks: searched },
    profileOf: (model) => modelProfile(model),
    sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
  });
  return list
    .slice(0, 20)
    .map(({ candidate, score }) => `${candidate.path} ${candidate.chunkId} ${score.toFixed(6)}`);
}

function queryOf(
  query: AnalyzedQuery,
  scope: readonly LiveSource[],
  corpus: readonly LiveSource[],
): CandidateQuery {
  return {
    tenants: [TENANT],
    scope,
    corpus,
    terms: query.terms,
    vectorFor: async (model) =>
      model === HASH_NGRAM_ID && query.terms.length > 0
        ? embedTerms(query.terms, query.frequencies)
        : null,
    identifiers: query.identifiers,
    limit: 200,
  };
}
