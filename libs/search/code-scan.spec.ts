import { describe, expect, it } from '@jest/globals';

import { type MatchThreads, parseQuery, type ScannedDocument } from '#code-search';
import { LineWriter } from '#code-search/match/line-writer';
import { matchDocuments, scanMatches } from '#code-search/match/match-documents';
import { QueryMatcher } from '#code-search/match/query-matcher';
import { RustLineEngine } from '#code-search/pattern/rust-line-engine';
import type { MatchRequest } from '#code-search/threads/match-protocol';
import { packMatches } from '#code-search/threads/packed-matches';
import { foldText, type RequiredText } from '#contracts/content/required-text';
import type { DocumentRange, IndexedDocument, SearchIndex, StoredDocument } from '#search-index';

import { CodeScan } from './code-scan.js';
import type { CodeScope, ScanPlace } from './code-search-scope.js';
import type { ScanRequest, ScanResult } from './scan-request.js';
import type { TextSink } from './text-sink.js';

type Run = MatchThreads['run'];
const SOURCE = 'a';
const scope = { sources: [{ source: { sourceId: SOURCE } }] } as unknown as CodeScope;

/** Excludes documents as an index does that knows one text. */
const isExcluded = (content: string, required?: RequiredText): boolean =>
  required?.kind === 'text' && !foldText(content).includes(required.text);

/** The documents of a fake index have their text. */
const scannedOf = ({ documents }: MatchRequest) => documents as readonly ScannedDocument[];

const textOf = (request: MatchRequest): string =>
  scannedOf(request)
    .flatMap(({ text }) => ('pieces' in text ? text.pieces : []))
    .map(({ content }) => content)
    .join('\n');

const answering =
  (isLate: boolean): Run =>
  async (_, request) => {
    const matcher = new QueryMatcher(request.query, new RustLineEngine());
    const options = { ...request, isLate: () => isLate };
    const matches = matchDocuments(scannedOf(request), matcher, options);
    const found = packMatches(matches.documents);
    return { kind: 'matches', required: matcher.requiredText(), ...matches, documents: found };
  };

/** Answers as a thread that passes its deadline with the first part of each document. */
const lateInEachPart = answering(true);

/** A thread that is ended by a line with the word `slow`, unless it is examined already. */
const endedBySlowLine: Run = async (tenantId, request, signal) => {
  const [first] = request.documents;
  const lines = first ? textOf(request).split('\n') : [];
  const next = lines.slice(
    first?.afterLine ?? 0,
    request.oneByOne ? (first?.afterLine ?? 0) + 1 : undefined,
  );
  if (next.some((line) => line.includes('slow'))) return { kind: 'late' };
  return lateInEachPart(tenantId, request, signal);
};

function scanOf(
  run: Run,
  documents: Readonly<Record<string, string>>,
  fields: Partial<ScanRequest> = {},
  stored?: StoredDocument,
) {
  const index = {
    async *documents(_: unknown, { from = '', required }: DocumentRange = {}) {
      let excluded = 0;
      for (const [path, content] of Object.entries(documents)) {
        if (path < from) continue;
        if (isExcluded(content, required)) {
          excluded += 1;
          continue;
        }
        if (excluded > 0) yield { excluded };
        excluded = 0;
        const chunks = async () => [{ startLine: 1, content }];
        const of = { definitions: () => [], symbolOf: () => undefined };
        yield { path, stored, chunks, ...of } as unknown as IndexedDocument;
      }
      if (excluded > 0) yield { excluded };
    },
  };
  return new CodeScan(index as unknown as SearchIndex, { run } as unknown as MatchThreads, {
    tenantId: 't',
    query: parseQuery('x'),
    field: 'query',
    filter: undefined,
    contextLines: 0,
    limit: 1_000,
    after: undefined,
    end: undefined,
    remainingMs: () => 60_000,
    ...fields,
  });
}

/** Scans page by page until the end. */
async function allPages(run: Run, documents: Readonly<Record<string, string>>) {
  const pages: ScanResult[] = [];
  let after: ScanPlace | undefined;
  do {
    pages.push(await scanOf(run, documents, { after }).run(scope));
    after = pages.at(-1)?.place;
  } while (after && pages.length < 50);
  return pages;
}

const placesOf = (pages: readonly ScanResult[]) =>
  pages.flatMap(({ files }) =>
    files.flatMap(({ path, lines }) => lines.map(({ number }) => `${path}:${number}`)),
  );

describe('CodeScan', () => {
  it('gets through a document that takes longer than each request', async () => {
    const big = `x\n${'y\n'.repeat(90_000)}x`;
    const pages = await allPages(lateInEachPart, { 'a.txt': big, 'b.txt': 'x' });
    expect(placesOf(pages)).toEqual(['a.txt:1', 'a.txt:90002', 'b.txt:1']);
    expect(pages[0]).toMatchObject({ reason: 'deadline', end: { documents: 0 } });
    expect(pages.at(-1)?.reason).toBeUndefined();
  });

  it('skips only the line that is too slow, and reports it', async () => {
    const pages = await allPages(endedBySlowLine, { 'a.txt': 'x\nslow x\nx', 'b.txt': 'x' });
    expect(placesOf(pages)).toEqual(['a.txt:1', 'a.txt:3', 'b.txt:1']);
    expect(pages.flatMap(({ skippedLines }) => skippedLines)).toEqual([{ path: 'a.txt', line: 2 }]);
  });

  it('returns a place to continue when it ends before its first document', async () => {
    const found = await scanOf(lateInEachPart, { 'a.txt': 'x' }, { remainingMs: () => 0 }).run(
      scope,
    );
    expect(found).toMatchObject({
      reason: 'deadline',
      place: { sourceId: SOURCE, path: '', line: 0 },
    });
  });

  it('ends where a recorded scan ended, within a document', async () => {
    const big = `x\n${'y\n'.repeat(90_000)}x`;
    const documents = { 'a.txt': 'x', 'b.txt': big };
    const end = { documents: 1, lines: 40_000 };
    const found = await scanOf(answering(false), documents, { end }).run(scope);
    expect(found).toMatchObject({ reason: 'deadline', end });
    expect(placesOf([found])).toEqual(['a.txt:1', 'b.txt:1']);
  });

  describe('with documents that the index excludes', () => {
    const documents = { a: 'none', b: 'none', c: 'yes\nword', d: 'none', e: 'word\nword', f: 'no' };
    const query = parseQuery('word');
    const scan = (fields: Partial<ScanRequest>, run = answering(false)) =>
      scanOf(run, documents, { query, ...fields }).run(scope);

    it('counts them as examined', async () => {
      const found = await scan({});
      expect(placesOf([found])).toEqual(['c:2', 'e:1', 'e:2']);
      expect(found).toMatchObject({ reason: undefined, end: { documents: 6, lines: 0 } });
    });

    it('counts those before the document with the last line', async () => {
      const found = await scan({ limit: 2 });
      expect(found).toMatchObject({ reason: 'limit', count: 2, end: { documents: 4 } });
      const next = await scan({ after: found.place });
      expect(placesOf([next])).toEqual(['e:2']);
    });

    it.each([0, 1, 2, 3, 4, 5, 6])('ends after %i documents as recorded', async (count) => {
      const end = { documents: count, lines: 0 };
      expect(await scan({ end })).toMatchObject({ reason: 'deadline', end });
    });

    it.each([1, 2, 3, 4])('ends within document %i as recorded', async (count) => {
      const end = { documents: count, lines: 1 };
      expect(await scan({ end })).toMatchObject({ reason: 'deadline', end });
    });

    it('counts them when a deadline ends the scan', async () => {
      const big = `word\n${'y\n'.repeat(90_000)}`;
      const found = await scanOf(lateInEachPart, { a: 'none', b: 'none', c: big }, { query }).run(
        scope,
      );
      expect(found).toMatchObject({ reason: 'deadline', end: { documents: 2 } });
    });
  });

  describe('as text', () => {
    const sources = [{ source: { sourceId: SOURCE, name: 'A', versionRef: '1', generation: 1 } }];
    const textScope = { sources } as unknown as CodeScope;
    const writing: Run = async (_, request) => {
      const matcher = new QueryMatcher(request.query, new RustLineEngine());
      const label = (at: number) => request.documents[at]?.label ?? { path: '', key: '' };
      const writer = new LineWriter(label, 0);
      const range = scanMatches(
        scannedOf(request),
        matcher,
        { ...request, isLate: () => false },
        writer.write,
      );
      const documents = writer.written();
      return { kind: 'written', required: matcher.requiredText(), ...range, documents };
    };
    const sinkOf = (room: TextSink['room'] = () => undefined) => {
      const parts: string[] = [];
      const write = (text: Uint8Array): void => void parts.push(String(Buffer.from(text)));
      return { parts, sink: { write, room } };
    };

    it('continues a batch with more lines than one answer of a thread has', async () => {
      const { parts, sink } = sinkOf();
      const documents = { a: 'x\n'.repeat(25_000), b: 'x', c: 'y' };
      const request = { text: sink, limit: 30_000 };
      const found = await scanOf(writing, documents, request).run(textScope);
      const whole = Array.from({ length: 25_000 }, (_, at) => `a:${at + 1}:x\n`).join('');
      expect(parts.join('')).toBe(`# A @1\n${whole}b:1:x\n`);
      expect(found).toMatchObject({
        reason: undefined,
        count: 25_001,
        fileCount: 2,
        end: { documents: 3, lines: 0 },
      });
      const files = await scanOf(answering(false), documents, { limit: 30_000 }).run(textScope);
      expect(found.digest).toBe(files.digest);
      const cut = await scanOf(writing, documents, { ...request, limit: 24_999 }).run(textScope);
      expect(cut).toMatchObject({ reason: 'limit', count: 24_999, place: { line: 24_999 } });
    });

    it('waits for a client, and ends with the deadline while it waits', async () => {
      let left = 60_000;
      const { parts, sink } = sinkOf(async () => {
        if (parts.length > 0) left = 0;
      });
      const documents = { a: 'x'.repeat(300_000), b: 'x'.repeat(300_000), c: 'x' };
      const request = { text: sink, remainingMs: () => left };
      const found = await scanOf(writing, documents, request).run(textScope);
      expect(found).toMatchObject({
        reason: 'deadline',
        count: 1,
        end: { documents: 1, lines: 0 },
        place: { path: 'a', line: -1 },
      });
    });
  });

  it('sends the text of documents that a thread cannot read', async () => {
    const seen: (readonly string[])[] = [];
    const run: Run = async (tenantId, request, signal) => {
      seen.push(request.documents.map(({ text }) => Object.keys(text)[0] ?? ''));
      if (request.documents.some(({ text }) => 'packs' in text)) return { kind: 'unread' };
      return answering(false)(tenantId, request, signal);
    };
    const stored = { packs: [], runs: [], bytes: 1 };
    const found = await scanOf(run, { 'a.txt': 'x', 'b.txt': 'y\nx' }, {}, stored).run(scope);
    expect(placesOf([found])).toEqual(['a.txt:1', 'b.txt:2']);
    expect(found.end).toEqual({ documents: 2, lines: 0 });
    expect(seen.slice(1)).toEqual([
      ['packs', 'packs'],
      ['pieces', 'pieces'],
    ]);
  });

  it('stops the threads when the client goes away', async () => {
    const gone = new AbortController();
    const stops: SharedArrayBuffer[] = [];
    const run: Run = (tenantId, request, signal) => {
      stops.push(request.stop);
      if (request.documents.length === 0) return lateInEachPart(tenantId, request, signal);
      gone.abort();
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    };
    const scan = scanOf(run, { 'a.txt': 'x'.repeat(300_000), 'b.txt': 'x' }, { gone: gone.signal });
    await expect(scan.run(scope)).rejects.toMatchObject({ code: 'bad_request' });
    expect(stops.map((stop) => new Int32Array(stop)[0])).toEqual([1, 1]);
  });
});
