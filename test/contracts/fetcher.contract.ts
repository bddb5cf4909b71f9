import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isStageFailure, type SourceDefinition } from '#contracts';
import type { Fetcher, FetchRequest, KnownDocument, SourceDocument, SourceSnapshot } from '#ingest';
import { tempDir } from '#test/support/temp-dir';

/** A source that a fetcher reads and a test changes. It is empty at first. */
export interface FetchedSource {
  readonly fetcher: Fetcher;
  readonly definition: SourceDefinition;
  /** The definition of a source that does not exist. */
  readonly missing: SourceDefinition;
  /** The listed path of a document that was written under a path; default the same path. */
  pathOf?(path: string): string;
  /** Writes documents by their path; null removes one. */
  change(documents: Readonly<Record<string, string | null>>): Promise<void>;
  dispose(): Promise<void>;
}

const GUIDE = {
  'guide/a.md': '# A\n\nalpha\n',
  'guide/b.md': '# B\r\n\r\nbeta',
  'notes.md': 'é 👋\n',
};

/** The contract of every fetcher. */
export function fetcherContract(name: string, open: () => Promise<FetchedSource>): void {
  describe(`fetcher contract: ${name}`, () => {
    let source: FetchedSource;
    let scratch: ReturnType<typeof tempDir>;
    beforeEach(async () => {
      source = await open();
      scratch = tempDir('footnote-fetch-');
    });
    afterEach(async () => {
      await source.dispose();
      scratch.remove();
    });

    const request = (more: Partial<FetchRequest> = {}): FetchRequest => ({
      tenantId: 't1',
      definition: source.definition,
      directory: `${scratch.path}/source`,
      recipe: 'r1',
      limits: { maxFileBytes: 10_000, maxSourceBytes: 1_000_000, maxSourceFiles: 100 },
      network: { allowPrivateNetworks: true, fileUrls: { below: ['/'], except: '/nonexistent' } },
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      ...more,
    });
    const snapshot = async (
      more: Partial<FetchRequest> = {},
      known: readonly KnownDocument[] = [],
    ): Promise<SourceSnapshot> => (await source.fetcher.resolve(request(more))).open(known);
    const patterns = (
      include_patterns: string[],
      exclude_patterns: string[] = [],
    ): Partial<FetchRequest> => ({
      definition: { ...source.definition, include_patterns, exclude_patterns },
    });
    /** The path that a document was written by. */
    const nameOf = (listed: string): string => listed.slice((source.pathOf?.('') ?? '').length);
    const paths = (documents: readonly { readonly path: string }[]): string[] =>
      documents.map(({ path }) => nameOf(path));
    const versions = (documents: readonly SourceDocument[]): Record<string, string> =>
      Object.fromEntries(documents.map(({ path, version }) => [nameOf(path), version]));
    async function contents(
      from: SourceSnapshot,
      documents = from.documents,
    ): Promise<[string, string][]> {
      const read: [string, string][] = [];
      for await (const { path, bytes } of from.read(documents))
        read.push([nameOf(path), Buffer.from(bytes).toString('utf8')]);
      return read;
    }
    const refusal = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'no error',
        (error: unknown) => error,
      );

    it('lists nothing of an empty source, under a version all the same', async () => {
      const empty = await snapshot();
      expect(empty).toMatchObject({ documents: [], skipped: { files_skipped: 0 } });
      expect(empty.ref).not.toBe('');
      await empty.close();
    });

    it('lists its documents in path order, and reads them byte for byte in the order asked', async () => {
      await source.change(GUIDE);
      const listed = await snapshot();
      expect(paths(listed.documents)).toEqual(Object.keys(GUIDE));
      expect(await contents(listed)).toEqual(Object.entries(GUIDE));
      expect(await contents(listed, listed.documents.toReversed())).toEqual(
        Object.entries(GUIDE).toReversed(),
      );
      expect(await contents(listed, listed.documents.slice(1, 2))).toEqual([
        ['guide/b.md', GUIDE['guide/b.md']],
      ]);
      expect(await contents(listed, [])).toEqual([]);
      await listed.close();
    });

    it('hands on what a document is and how large, where the source says it', async () => {
      await source.change(GUIDE);
      const listed = await snapshot();
      for await (const { path, kind, bytes } of listed.read(listed.documents)) {
        const document = listed.documents.find((each) => each.path === path);
        expect([kind, bytes.byteLength]).toEqual([
          document?.kind,
          document?.size ?? bytes.byteLength,
        ]);
      }
      await listed.close();
    });

    it('is at one version until something changes, and says so before it lists, or lists it', async () => {
      await source.change(GUIDE);
      const resolved = await source.fetcher.resolve(request());
      const first = await resolved.open([]);
      expect(resolved.ref ?? first.ref).toBe(first.ref);
      const second = await snapshot({ directory: `${scratch.path}/elsewhere` });
      expect([second.ref, second.documents]).toEqual([first.ref, first.documents]);
      await source.change({ 'guide/a.md': '# A\n\nomega\n' });
      const changed = await source.fetcher.resolve(request());
      const third = await changed.open([]);
      expect(third.ref).not.toBe(first.ref);
      expect(changed.ref ?? third.ref).toBe(third.ref);
      for (const each of [first, second, third]) await each.close();
    });

    it('gives a document another version with its content and at no other time', async () => {
      await source.change(GUIDE);
      const first = await snapshot();
      await source.change({
        'guide/a.md': '# A\n\nomega\n',
        'guide/b.md': null,
        'guide/c.md': 'gamma',
      });
      const second = await snapshot({}, first.documents);
      const [before, after] = [versions(first.documents), versions(second.documents)];
      expect(Object.keys(after)).toEqual(['guide/a.md', 'guide/c.md', 'notes.md']);
      expect(after['notes.md']).toBe(before['notes.md']);
      expect(after['guide/a.md']).not.toBe(before['guide/a.md']);
      expect(await contents(second, second.documents.slice(0, 2))).toEqual([
        ['guide/a.md', '# A\n\nomega\n'],
        ['guide/c.md', 'gamma'],
      ]);
      await source.change({ 'guide/a.md': GUIDE['guide/a.md'] });
      const third = await snapshot({}, second.documents);
      expect(versions(third.documents)['guide/a.md']).toBe(before['guide/a.md']);
      for (const each of [first, second, third]) await each.close();
    });

    it('lists and reads the same with what is known from before as without', async () => {
      await source.change(GUIDE);
      const first = await snapshot();
      await source.change({ 'guide/a.md': 'omega' });
      const [without, known] = [await snapshot(), await snapshot({}, first.documents)];
      expect(versions(known.documents)).toEqual(versions(without.documents));
      expect([known.ref, known.skipped]).toEqual([without.ref, without.skipped]);
      expect(await contents(known)).toEqual(await contents(without));
      for (const each of [first, without, known]) await each.close();
    });

    it('lists what the patterns select, and counts what it leaves out for its size', async () => {
      await source.change({ ...GUIDE, 'guide/large.md': 'x'.repeat(20_000) });
      const all = await snapshot();
      expect(paths(all.documents)).toEqual(Object.keys(GUIDE));
      expect(all.skipped).toEqual({ files_skipped: 1, files_skipped_too_large: 1 });
      const guide = await snapshot(patterns(['guide/**'], ['**/b.md']));
      expect(paths(guide.documents)).toEqual(['guide/a.md']);
      const named = await snapshot(patterns(['notes.md']));
      expect(named.documents).toMatchObject([
        { path: source.pathOf?.('notes.md') ?? 'notes.md', named: true },
      ]);
      for (const each of [all, guide, named]) await each.close();
    });

    it('refuses for good, naming the variable, a source that lists more than it may, selected or not', async () => {
      await source.change(GUIDE);
      const limits = { ...request().limits, maxSourceFiles: 3 };
      await (await snapshot({ limits })).close();
      await source.change({ 'one-more.md': 'x' });
      const error = await refusal(snapshot({ ...patterns(['guide/**']), limits }));
      expect(error).toMatchObject({ retryable: false, details: { url: source.definition.url } });
      expect(error).toHaveProperty('message', expect.stringContaining('MAX_SOURCE_FILES (3)'));
    });

    it('lets a reader stop early and another begin', async () => {
      await source.change(GUIDE);
      const listed = await snapshot();
      for await (const { path } of listed.read(listed.documents)) {
        expect(nameOf(path)).toBe('guide/a.md');
        break;
      }
      expect(await contents(listed)).toEqual(Object.entries(GUIDE));
      await listed.close();
      expect(await refusal(contents(listed))).toBeInstanceOf(Error);
    });

    it('throws the reason of the signal once that is aborted, at any step', async () => {
      await source.change(GUIDE);
      const stop = new AbortController();
      const { signal } = stop;
      const resolved = await source.fetcher.resolve(request({ signal }));
      const listed = await resolved.open([]);
      const reading = listed.read(listed.documents)[Symbol.asyncIterator]();
      await reading.next();
      stop.abort(new Error('enough'));
      const rest = async () => {
        while (!(await reading.next()).done);
      };
      expect(await refusal(rest())).toBe(signal.reason);
      expect(await refusal(resolved.open([]))).toBe(signal.reason);
      expect(await refusal(source.fetcher.resolve(request({ signal })))).toBe(signal.reason);
      await listed.close();
    });

    it('says for good, with its address, that a source is not there', async () => {
      const error = await refusal(snapshot({ definition: source.missing }));
      expect(isStageFailure(error)).toBe(true);
      expect(error).toMatchObject({ retryable: false, details: { url: source.missing.url } });
    });
  });
}
