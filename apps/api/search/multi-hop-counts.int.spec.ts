import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';

import type { MultiHopResponse, SearchResponse } from '#contracts';
import { countO200k } from '#ingest/chunk/tokens';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';

const WORDS = ['bucket', 'refill', 'clock', 'tick', 'drain', 'limit', 'token', 'queue'];

/** Found in one chunk of each file, so that a hop finds more than the seed search. */
const RARE = 'zygote';

/** Numbered lines of a file, each different. */
const LINES = Array.from(
  { length: 60 },
  (_, at) => `${WORDS[at % 8]} ${WORDS[(at * 5) % 8]} line${at + 1} ${at === 41 ? RARE : ''}`,
);

/** Chunks by first and last line: some touch, some have a line between them. */
const CUTS = [
  [1, 4],
  [5, 8],
  [9, 12],
  [14, 20],
  [21, 21],
  [22, 30],
  [40, 44],
  [45, 50],
  [52, 60],
] as const;

const DOCUMENTS: Required<
  Pick<PublishedDocument, 'path' | 'ordinal' | 'startLine' | 'content' | 'tokenCount'>
>[] = ['src/limit.py', 'src/drain.py'].flatMap((path) =>
  CUTS.map(([from, to], ordinal) => {
    const lines = LINES.slice(from - 1, to).join(`\n`);
    const content = lines.replaceAll('line', path === 'src/limit.py' ? 'a' : 'b');
    return { path, ordinal, startLine: from, content, tokenCount: countO200k(content) };
  }),
);

type Result = SearchResponse['results'][number];

/** Chunks of the published documents that a result shows some line of. */
function chunksIn({ citation }: Result): string[] {
  return DOCUMENTS.filter(({ path, startLine, content }) => {
    const endLine = startLine + content.split('\n').length - 1;
    return (
      path === citation.path &&
      startLine <= (citation.end_line ?? 0) &&
      endLine >= (citation.start_line ?? 0)
    );
  }).map(({ path, ordinal }) => `${path}#${ordinal}`);
}

describe('the counts of a multi-hop search', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await publish(api, DOCUMENTS, { tenant: api.tenantA });
  });
  afterAll(() => api.stop());

  const ask = async <Body>(path: string, fields: object): Promise<Body> => {
    const { status, body, text } = await api.call<Body>('POST', path, fields);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const request = fc.record({
    query: fc.oneof(
      fc.constant(RARE),
      fc
        .uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
        .map((words) => words.join(' ')),
    ),
    top_k: fc.integer({ min: 1, max: 8 }),
    max_rounds: fc.integer({ min: 1, max: 3 }),
    neighbor_line_radius: fc.integer({ min: 0, max: 20 }),
    secondary_search: fc.boolean(),
    max_tokens: fc.constantFrom(40, 90, 200, 400, 32_000),
  });

  it('are what happened, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (fields) => {
        const { query, top_k, max_rounds, secondary_search } = fields;
        const seeds = await ask<SearchResponse>('/search', { query, top_k, max_tokens: 32_000 });
        const hits = await ask<MultiHopResponse>('/search/rmh', {
          ...fields,
          expand_neighbors: false,
        });
        const ranked = jest.spyOn(api.index, 'ranked');
        const { results, rmh } = await ask<MultiHopResponse>('/search/rmh', fields);
        const searches = ranked.mock.calls.length;
        ranked.mockRestore();

        expect(rmh.rounds_executed).toBe(searches);
        expect(rmh.rounds_executed).toBeLessThanOrEqual(secondary_search ? max_rounds : 1);
        expect(rmh.secondary_search_ran).toBe(searches > 1);
        expect(rmh.seed_result_count).toBe(seeds.total_results);
        expect(hits.rmh).toMatchObject({ neighbors_added: 0, merged_chunk_count: 0 });

        const found = new Set(hits.results.map(chunkOf));
        const shown = results.map(chunksIn);
        expect(new Set(shown.flat()).size).toBe(shown.flat().length);
        expect(rmh.neighbors_added).toBe(shown.flat().filter((chunk) => !found.has(chunk)).length);
        expect(rmh.merged_chunk_count).toBe(shown.filter(({ length }) => length > 1).flat().length);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe('what a multi-hop search shows with its hits', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await publish(api, DOCUMENTS, { tenant: api.tenantA });
  });
  afterAll(() => api.stop());

  const ask = async (fields: object): Promise<MultiHopResponse> => {
    const { status, body, text } = await api.call<MultiHopResponse>('POST', '/search/rmh', fields);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const request = fc.record({
    query: fc
      .uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
      .map((words) => words.join(' ')),
    top_k: fc.integer({ min: 1, max: 8 }),
    neighbor_line_radius: fc.integer({ min: 0, max: 60 }),
    secondary_search: fc.boolean(),
    max_tokens: fc.integer({ min: 30, max: 1_500 }),
  });

  it('never takes the place of a hit, in the list or in the budget, and is all there while the budget lasts', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (fields) => {
        const bare = await ask({ ...fields, expand_neighbors: false });
        const { results, total_tokens, evidence_quality } = await ask(fields);
        const shown = new Set(results.flatMap(chunksIn));
        const hits = bare.results.map(chunkOf);

        expect(hits.filter((hit) => !shown.has(hit))).toEqual([]);
        expect(total_tokens).toBeLessThanOrEqual(fields.max_tokens);
        expect(evidence_quality.evidence_count).toBe(hits.length);
        expect(evidence_quality.score).toBe(bare.evidence_quality.score);
        const isCut = bare.results.some(({ content }) =>
          DOCUMENTS.every((document) => document.content !== content),
        );
        const left = fields.max_tokens - total_tokens;
        const missing = DOCUMENTS.filter(
          (document) => !shown.has(`${document.path}#${document.ordinal}`),
        );
        const near = missing.filter((document) =>
          stands(document, bare.results, fields.neighbor_line_radius),
        );
        // Each chunk is reckoned with a token for its line end, which the answer may not need.
        const spare = results.flatMap(chunksIn).length;
        if (!isCut) expect(near.filter(({ tokenCount }) => tokenCount + spare < left)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});

/** Returns whether a chunk lies within the radius of one of the results. */
function stands(
  { path, startLine, content }: (typeof DOCUMENTS)[number],
  hits: readonly Result[],
  radius: number,
) {
  const endLine = startLine + content.split('\n').length - 1;
  return hits.some(({ citation }) => {
    const [from = 0, to = 0] = [citation.start_line, citation.end_line];
    return citation.path === path && Math.max(startLine - to, from - endLine) <= radius;
  });
}

/** The chunk that a result is, though cut, where neighbors are not asked for. */
function chunkOf({ citation: { path, start_line } }: Result): string {
  const chunk = DOCUMENTS.find(
    (document) => document.path === path && document.startLine === start_line,
  );
  return `${path}#${chunk?.ordinal}`;
}
