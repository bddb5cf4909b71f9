import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SourceFileView, SourceOutlineView, SourceTreeView } from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

describe('files of a source', () => {
  let api: ApiHarness;
  let sourceId: string;
  let foreign: string;
  beforeAll(async () => {
    api = await ApiHarness.start();
    const own = { tenant: api.tenantA };
    sourceId = await publish(
      api,
      [
        { path: 'README.md', content: 'first' },
        {
          path: 'src/a.py',
          content: 'one\ntwo\nthree',
          defs: ['Cart', 'total', 'VAT'],
          definitions: [
            {
              name: 'Cart',
              symbol: 'Cart',
              start_line: 1,
              end_line: 3,
              place: { kind: 'class', line: 1, column: 7, last_line: 7 },
            },
            { name: 'total', symbol: 'Cart.total', start_line: 2, end_line: 3 },
          ],
        },
        { path: 'src/deep/b.py', content: 'b' },
        { path: 'src/deep/c.ts', content: 'c', language: 'typescript' },
      ],
      own,
    );
    const next = { ...own, sourceId, generation: 2 };
    await publish(api, [{ path: 'README.md', content: 'second' }], next);
    foreign = await publish(api, [{ path: 'README.md', content: 'theirs' }], {
      tenant: api.tenantB,
    });
  });
  afterAll(() => api.stop());

  type Failure = { code?: string; detail?: string };
  const tree = (query: string, id = sourceId) =>
    api.call<SourceTreeView & Failure>('GET', `/sources/${id}/tree?${query}`);
  const file = (query: string, options = {}, id = sourceId) =>
    api.call<SourceFileView & Failure>('GET', `/sources/${id}/files?${query}`, undefined, options);
  const outline = (query: string, id = sourceId) =>
    api.call<SourceOutlineView & Failure>('GET', `/sources/${id}/outline?${query}`);
  const shown = (view: SourceTreeView) =>
    view.entries.map(({ path, kind, files }) => `${path} ${kind} ${files}`);

  it('lists folders and files below a folder to a depth', async () => {
    const { status, body } = await tree('generation=1');
    expect([status, body.generation, body.version_ref, body.total]).toEqual([
      200,
      1,
      'commit-1',
      2,
    ]);
    expect(shown(body)).toEqual(['README.md file 1', 'src folder 3']);
    expect(shown((await tree('generation=1&path=src/&depth=2')).body)).toEqual([
      'src/a.py file 1',
      'src/deep folder 2',
      'src/deep/b.py file 1',
      'src/deep/c.ts file 1',
    ]);
    expect(shown((await tree('')).body)).toEqual(['README.md file 1']);
  });

  it('selects files by a glob, and returns pages', async () => {
    const { body } = await tree('version_ref=commit-1&glob=**/*.py&depth=9');
    expect(shown(body)).toEqual([
      'src folder 2',
      'src/a.py file 1',
      'src/deep folder 1',
      'src/deep/b.py file 1',
    ]);
    const page = await tree('generation=1&glob=**/*.py&skip=1&limit=1');
    expect([page.body.total, shown(page.body)]).toEqual([4, ['src/a.py file 1']]);
    expect((await tree('glob=[a]')).status).toBe(400);
  });

  it('returns lines of a file at any kept version', async () => {
    const { status, body } = await file('path=src/a.py&version_ref=commit-1&from_line=2&to_line=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      generation: 1,
      path: 'src/a.py',
      from_line: 2,
      to_line: 2,
      total_lines: 3,
      next_line: 3,
      lines: ['two'],
      exact: false,
      differences: ['unknown_gaps'],
    });
    expect((await file('path=README.md')).body.lines).toEqual(['second']);
    expect((await file('path=README.md&generation=1')).body.lines).toEqual(['first']);
  });

  it('returns the whole text with an ETag, and 304 for a known one', async () => {
    const headers = { accept: 'text/plain' };
    const first = await file('path=README.md', { headers });
    expect([first.status, first.text, first.headers['content-type']]).toEqual([
      200,
      'second',
      'text/plain; charset=utf-8',
    ]);
    const etag = String(first.headers['etag']);
    const again = await file('path=README.md&format=text', {
      headers: { 'if-none-match': `W/"x", ${etag}` },
    });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
    const other = { headers: { ...headers, 'if-none-match': etag } };
    expect((await file('path=README.md&generation=1', other)).status).toBe(200);
  });

  it('outlines a file at any kept version, in pages', async () => {
    const { status, body } = await outline('path=src/a.py&generation=1');
    expect([status, body]).toEqual([
      200,
      {
        source_id: sourceId,
        generation: 1,
        version_ref: 'commit-1',
        path: 'src/a.py',
        total: 2,
        definitions: [
          {
            name: 'Cart',
            symbol: 'Cart',
            parent: null,
            start_line: 1,
            end_line: 7,
            kind: 'class',
            line: 1,
            column: 7,
          },
          {
            name: 'total',
            symbol: 'Cart.total',
            parent: 'Cart',
            start_line: 2,
            end_line: 3,
            kind: null,
            line: null,
            column: null,
          },
        ],
        unplaced_names: ['VAT'],
        warnings: [expect.stringContaining('earlier version')],
      },
    ]);
    const page = await outline('path=src/a.py&generation=1&skip=1&limit=1');
    expect([page.body.total, page.body.definitions]).toEqual([2, [body.definitions[1]]]);
    expect((await outline('path=README.md')).body.definitions).toEqual([]);
    expect((await outline('path=src/a.py')).body.code).toBe('content_not_found');
    const theirs = await outline('path=README.md', foreign);
    expect([theirs.status, theirs.body.code]).toEqual([404, 'source_not_found']);
  });

  it('rejects unknown paths, versions, ranges, and sources of another tenant', async () => {
    const codes = async (query: string) => (await file(query)).body.code;
    expect(await codes('path=src/a.py')).toBe('content_not_found');
    expect(await codes('path=README.md&from_line=2')).toBe('content_not_found');
    expect(await codes('path=README.md&generation=9')).toBe('validation_failed');
    expect(await codes('path=README.md&version_ref=x')).toBe('validation_failed');
    expect(await codes('path=README.md&version_ref=commit-2&generation=2')).toBe(
      'validation_failed',
    );
    expect(await codes('path=README.md&from_line=2&to_line=1')).toBe('validation_failed');
    expect(await codes('path=README.md&from_line=1&to_line=2001')).toBe('validation_failed');
    for (const id of [foreign, unknownId(), 'nonsense']) {
      expect((await file('path=README.md', {}, id)).body.code).toBe('source_not_found');
      expect((await tree('', id)).body.code).toBe('source_not_found');
    }
  });

  it('finds a commit by its first 12 digits, unless two begin so', async () => {
    const [one, other, third] = [
      'a1'.repeat(20),
      `${'a1'.repeat(7)}${'b2'.repeat(13)}`,
      'c3'.repeat(20),
    ];
    const own = { tenant: api.tenantA, name: 'Commits' };
    const id = await publish(api, [{ path: 'a.md', content: 'one' }], { ...own, versionRef: one });
    const next = { ...own, sourceId: id };
    await publish(api, [{ path: 'a.md', content: 'c' }], {
      ...next,
      generation: 2,
      versionRef: third,
    });
    const at = async (version: string) => {
      const { body } = await file(`path=a.md&version_ref=${version}`, {}, id);
      return body.version_ref ?? body.code;
    };
    expect(await at(one.slice(0, 12))).toBe(one);
    expect(await at(third.slice(0, 12))).toBe(third);
    expect(await at(third.slice(0, 11))).toBe('validation_failed');
    expect(await at('d4'.repeat(6))).toBe('validation_failed');
    await publish(api, [{ path: 'a.md', content: 'd' }], {
      ...next,
      generation: 3,
      versionRef: other,
    });
    const ambiguous = await file(`path=a.md&version_ref=${one.slice(0, 12)}`, {}, id);
    expect([ambiguous.status, ambiguous.text]).toEqual([400, expect.stringContaining('several')]);
    expect(await at(one.slice(0, 15))).toBe(one);
    expect(await at(other)).toBe(other);
  });

  it('rejects dropped generations', async () => {
    await api.append(api.tenantA, `generation-${sourceId}`, {
      type: 'GenerationDropped',
      data: { source_id: sourceId, generation: 1, reason: 'superseded' },
    });
    for (const version of ['generation=1', 'version_ref=commit-1']) {
      const { status, body } = await file(`path=README.md&${version}`);
      expect([status, body.code]).toEqual([409, 'generation_dropped']);
    }
  });
});
