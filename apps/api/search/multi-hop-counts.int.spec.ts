import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';

import type { MultiHopResponse, SearchResponse } from '#contracts';
import { ApiUnderTest } from '#test/support/api/api-under-test';
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

const DOCUMENTS: PublishedDocument[] = ['src/limit.py', 'src/drain.py'].flatMap((path) =>
  CUTS.map(([from, to], ordinal) => ({
    ...{ path, ordinal, startLine: from },
    content: LINES.slice(from - 1, to)
      .join(`\n`)
      .replaceAll('line', path === 'src/limit.py' ? 'a' : 'b'),
  })),
);

type Result = SearchResponse['results'][number];

/** Chunks of the published documents that a result shows some line of. */
function chunksIn({ citation }: Result): string[] {
  return DOCUMENTS.filter(({ path, startLine = 1, content }) => {
    const endLine = startLine + content.split('\n').length - 1;
    return path === citation.path && startLine <= (citation.end_line ?? 0) && endLine >= (citation.start_line ?? 0);
  }).map(({ path, ordinal }) => `${path}#${ordinal}`);
}

describe('the counts of a multi-hop search', () => {
  let api: ApiUnderTest;

  beforeAll(async () => {
    api = await ApiUnderTest.start();
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
      fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    ),
    top_k: fc.integer({ min: 1, max: 8 }),
    max_rounds: fc.integer({ min: 1, max: 3 }),
    neighbor_line_radius: fc.integer({ min: 0, max: 20 }),
    secondary_search: fc.boolean(),
    max_tokens: fc.constantFrom(40, 200, 32_000),
  });

  it('are what happened, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (fields) => {
        const { query, top_k, max_rounds, secondary_search } = fields;
        const seeds = await ask<SearchResponse>('/search', { query, top_k, max_tokens: 32_000 });
        const hits = await ask<MultiHopResponse>('/search/rmh', {
          ...fields,
          ...{ max_tokens: 32_000, expand_neighbors: false },
        });
        const candidates = jest.spyOn(api.index, 'candidates');
        const { results, rmh } = await ask<MultiHopResponse>('/search/rmh', fields);
        const searches = candidates.mock.calls.filter(([{ limit }]) => limit > 1).length;
        candidates.mockRestore();

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

/** The chunk that a result is, where neighbours are not asked for. */
function chunkOf({ citation, content }: Result): string {
  const chunk = DOCUMENTS.find((document) => document.path === citation.path && document.content === content);
  return `${citation.path}#${chunk?.ordinal}`;
}
