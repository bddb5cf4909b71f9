import { describe, expect, it } from '@jest/globals';

import {
  type MatchThreads,
  type ReferenceThreads,
  type ScannedDocument,
  textOccurrences,
} from '#code-search';
import { matchDocuments } from '#code-search/match/match-documents';
import { QueryMatcher } from '#code-search/match/query-matcher';
import { RustLineEngine } from '#code-search/pattern/rust-line-engine';
import { packMatches } from '#code-search/threads/packed-matches';
import type { IndexedDocument, SearchIndex } from '#search-index';

import type { CodeScope } from '../code-search-scope.js';
import { ReferenceScan, type ReferenceScanRequest, unparsedWarnings } from './reference-scan.js';

const SOURCE = 'a';
const scope = { sources: [{ source: { sourceId: SOURCE } }] } as unknown as CodeScope;
const FILES = { 'a.py': 'pay()\npay()', 'b.py': 'pay()', 'c.py': 'pay()' };

const matches = {
  run: async (_: string, request: Parameters<MatchThreads['run']>[1]) => {
    const matcher = new QueryMatcher(request.query, new RustLineEngine());
    const documents = request.documents as readonly ScannedDocument[];
    const found = matchDocuments(documents, matcher, { ...request, isLate: () => false });
    return { kind: 'matches', ...found, documents: packMatches(found.documents) };
  },
} as unknown as MatchThreads;

type Answer = ReferenceThreads['run'];
const parsing: Answer = async (_, { files, name }) => ({
  kind: 'occurrences',
  files: files.map(({ text }) => ({
    isParsed: true,
    names: textOccurrences(text, name),
    passedOn: [],
  })),
});

function scanOf(run: Answer, fields: Partial<ReferenceScanRequest> = {}) {
  const documentOf = ([path, content]: readonly [string, string]) =>
    ({
      path,
      language: 'python',
      chunks: async () => [{ startLine: 1, content }],
      definitions: () => [],
      symbolOf: () => undefined,
    }) as unknown as IndexedDocument;
  const index = {
    async *documents(_: unknown, { from = '' }: { from?: string } = {}) {
      for (const entry of Object.entries(FILES)) if (entry[0] >= from) yield documentOf(entry);
    },
    document: async (_: unknown, path: keyof typeof FILES) =>
      documentOf([path, FILES[path]]).chunks(),
  } as unknown as SearchIndex;
  const references = { run } as unknown as ReferenceThreads;
  return new ReferenceScan(
    index,
    { matches, references },
    {
      tenantId: 't',
      name: 'pay',
      filter: undefined,
      limit: 100,
      after: undefined,
      end: undefined,
      unparsed: new Set(),
      remainingMs: () => 60_000,
      ...fields,
    },
    async (_, names) => names.map((each) => ({ ...each, precision: 'name' })),
  ).run(scope);
}

const pathsOf = ({ files }: Awaited<ReturnType<typeof scanOf>>) =>
  files.map(({ file, names }) => `${file.path} ${names.length}`);

describe('a scan for references', () => {
  it('continues after the last line of a page', async () => {
    const first = await scanOf(parsing, { limit: 1 });
    expect([first.reason, first.place]).toEqual([
      'limit',
      expect.objectContaining({ path: 'a.py', line: 1 }),
    ]);
    const rest = await scanOf(parsing, { after: first.place });
    expect([rest.reason, rest.place, pathsOf(rest)]).toEqual([
      undefined,
      undefined,
      ['a.py 1', 'b.py 1', 'c.py 1'],
    ]);
  });

  it('ends before the first file that a deadline left out, and continues there', async () => {
    let left = 60_000;
    const slow: Answer = async (tenantId, request, signal) => {
      left = 0;
      return parsing(tenantId, { ...request, files: request.files.slice(0, 1) }, signal);
    };
    const found = await scanOf(slow, { remainingMs: () => left });
    expect([found.reason, pathsOf(found)]).toEqual(['deadline', ['a.py 2']]);
    expect(pathsOf(await scanOf(parsing, { after: found.place }))).toEqual(['b.py 1', 'c.py 1']);
    const repeated = await scanOf(parsing, { end: found.place });
    expect([repeated.reason, pathsOf(repeated)]).toEqual(['deadline', ['a.py 2']]);
  });

  it('names files that use up a budget, by their words, and continues', async () => {
    const stuckAtB: Answer = async (tenantId, request, signal) => {
      const at = request.files.findIndex(({ path }) => path === 'b.py');
      if (at === 0) return { kind: 'late' };
      const files = at === -1 ? request.files : request.files.slice(0, at);
      return parsing(tenantId, { ...request, files }, signal);
    };
    const found = await scanOf(stuckAtB);
    expect(found.files.map(({ isParsed }) => isParsed)).toEqual([true, false, true]);
    expect(unparsedWarnings(found).join()).toContain('b.py: not parsed in time');
    const repeated = await scanOf(parsing, { unparsed: new Set([`${SOURCE}/b.py`]) });
    expect(repeated.files).toEqual(found.files);
  });

  it('makes progress if the first file takes all the time', async () => {
    const late: Answer = async () => ({ kind: 'late' });
    const found = await scanOf(late, { remainingMs: () => 500 });
    expect([found.reason, pathsOf(found)]).toEqual(['deadline', ['a.py 2']]);
    expect(found.place).toMatchObject({ path: 'a.py', line: 2 });
  });

  it('ends when the client goes away', async () => {
    const gone = new AbortController();
    let stopped = false;
    const leaving: Answer = async (tenantId, request, signal) => {
      gone.abort();
      stopped = new Int32Array(request.stop)[0] === 1;
      return parsing(tenantId, request, signal);
    };
    await expect(scanOf(leaving, { gone: gone.signal })).rejects.toThrow('closed the request');
    expect(stopped).toBe(true);
  });
});
