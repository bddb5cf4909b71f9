import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';

import { FileSelector } from '#ingest';
import { selectFiles } from '#ingest/select/select-files';
import { GlobList } from '#platform/patterns/glob-list';
import { validateGlobList } from '#platform/patterns/glob-syntax';
import { ApiHarness } from '#test/support/api/api-harness';
import { countedSlices, countTurns } from '#test/support/turn-counter';

/** Patterns and paths that make other matchers try every place of a path again, by size. */
const HOSTILE: Readonly<
  Record<string, (size: number) => readonly [pattern: string, path: string]>
> = {
  'a star before a long literal': (size) => [`*${'a'.repeat(200)}b`, 'a'.repeat(size)],
  'stars between letters': (size) => [`${'*a'.repeat(120)}b`, 'a'.repeat(size)],
  'folders between folders': (size) => [`${'**/a/'.repeat(50)}b`, 'a/'.repeat(size / 2)],
  'runs of stars': (size) => [`${'*'.repeat(250)}b`, 'a'.repeat(size)],
  'folders and stars in turn': (size) => [`${'**/*'.repeat(60)}b`, 'a/'.repeat(size / 2)],
  'wildcards for one letter': (size) => [`*${'?'.repeat(200)}b`, 'a'.repeat(size)],
  'many alternatives': (size) => [
    `*${'a'.repeat(200)}{0,1,2,3,4,5,6,7}{0,1,2,3,4,5,6,7}`,
    'a'.repeat(size),
  ],
};

/**
 * Lists of 100 patterns that differ, each with 8 alternatives: ten times what a request may have.
 */
const OLD_LIST = Array.from(
  { length: 100 },
  (_, at) => `${'a'.repeat(at)}*${'a'.repeat(200 - at)}b{0,1,2,3,4,5,6,7}`,
);

describe('hostile path patterns', () => {
  it.each(Object.entries(HOSTILE))('cost work that is linear in the path: %s', (_, build) => {
    const stepsAt = (size: number): number => {
      const [pattern, path] = build(size);
      const list = new GlobList([pattern]);
      expect(list.matches(path)).toBe(false);
      return list.steps;
    };
    expect(stepsAt(4_000)).toBeLessThanOrEqual(2.01 * stepsAt(2_000));
    // A bit for each state, so that a character costs a few steps whatever the pattern is.
    expect(stepsAt(4_000) / 4_000).toBeLessThanOrEqual(64 * 7.5);
  });

  it('cost work that is linear in the number of patterns', () => {
    const stepsOf = (patterns: readonly string[]): number => {
      const list = new GlobList(patterns);
      list.matches('a'.repeat(1_000));
      return list.steps;
    };
    expect(stepsOf(OLD_LIST)).toBeLessThanOrEqual(2.1 * stepsOf(OLD_LIST.slice(0, 50)));
  });

  it('of a list as large as a request may have cost at most 512 steps a character', () => {
    const list = Array.from({ length: 100 }, () => 'b'.repeat(79)).map((text) => `*${text}{x,y}`);
    expect(validateGlobList(list)).toBeNull();
    const globs = new GlobList(list);
    globs.matches('a'.repeat(1_000));
    expect(globs.steps).toBeLessThanOrEqual(1_001 * (512 + 16));
  });

  it('of a definition in an older log divide the work for one path', async () => {
    const selector = new FileSelector({ include: [], exclude: OLD_LIST, maxFileBytes: 1_000 });
    const { slices, looks } = countedSlices(1);
    const path = `${'a'.repeat(1_800)}b7`;
    const { result, turns } = await countTurns(() => selector.judge({ path, size: 1 }, slices));
    expect(result.decision).toBe('unselected');
    expect(selector.steps / looks()).toBeLessThanOrEqual(65_536);
    expect(turns).toBeGreaterThan(selector.steps / 65_536);
  });

  it('over many files yield to the event loop by time', async () => {
    const files = Array.from({ length: 200 }, (_, at) => ({
      path: `${'a'.repeat(500)}${at}`,
      size: 1,
    }));
    const { slices, looks } = countedSlices(2);
    const work = selectFiles(files, {
      include: [],
      exclude: OLD_LIST.slice(0, 9),
      maxFileBytes: 10,
      slices,
    });
    const { result, turns } = await countTurns(() => work);
    expect(result.selected).toHaveLength(200);
    expect(turns).toBeGreaterThan(looks() / 10);
  });
});

describe('requests with path patterns', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
    await api.app.listen(0, '127.0.0.1');
  });
  afterAll(() => api.stop());

  const post = (path: string, body: object): request.Test =>
    request(api.app.getHttpServer())
      .post(path)
      .set('authorization', `Bearer ${api.keyA}`)
      .send(body);
  const sentence =
    'must not stand for more than 16384 characters with all alternatives of {a,b} written out';

  it.each(['include_patterns', 'exclude_patterns'])(
    'rejects a source whose %s are too large together',
    async (field) => {
      const source = { name: 'Hostile', source_type: 'repo', url: 'https://example.com/a.git' };
      const { status, text } = await post('/sources', { ...source, [field]: OLD_LIST });
      expect([status, text.includes(`"${field}"`), text.includes(sentence)]).toEqual([
        400,
        true,
        true,
      ]);
      expect((await post('/sources', { ...source, [field]: OLD_LIST.slice(0, 9) })).status).toBe(
        201,
      );
    },
  );

  it('rejects a search whose path_patterns are too large together', async () => {
    const { status, text } = await post('/search', {
      query: 'x',
      path_patterns: OLD_LIST.slice(0, 50),
    });
    expect([status, text.includes('"path_patterns"'), text.includes(sentence)]).toEqual([
      400,
      true,
      true,
    ]);
  });
});
