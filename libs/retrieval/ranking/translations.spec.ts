import { describe, expect, it } from '@jest/globals';

import { candidate, OPTIONS, paths, STATISTICS } from '#test/support/rank-candidates';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { queryLanguage } from './query-language.js';
import { rank } from './rank.js';
import { translatedPath } from './translated-path.js';

const page = (path: string, cosine: number) =>
  candidate({ path, cosine, chunkType: 'docs', termFrequencies: [1, 1] });
const ENGLISH = analyzeQuery('close connections');

describe('translated pages', () => {
  it.each([
    ['docs/de/pool.md', 'docs/pool.md', 'de'],
    ['docs/en/docs/pool.md', 'docs/docs/pool.md', 'en'],
    ['docs/zh-Hant/pool.md', 'docs/pool.md', 'zh'],
    ['README.pt-BR.md', 'README.md', 'pt'],
    ['README_CN.md', 'README.md', 'zh'],
    ['docs/pool.md', 'docs/pool.md', undefined],
    ['docs/io/pool.md', 'docs/io/pool.md', undefined],
    ['src/unix/tcp.md', 'src/unix/tcp.md', undefined],
  ])('separates %s from its language', (path, of, language) => {
    expect(translatedPath(path)).toEqual({ page: of, language });
  });

  it('form one result, in English for an English query, with the others in copies', () => {
    const [only, ...others] = rank(
      ENGLISH,
      [page('docs/de/a.md', 0.9), page('docs/en/a.md', 0.5), page('docs/fr/a.md', 0.7)],
      STATISTICS,
      OPTIONS,
    );
    expect(others).toEqual([]);
    expect(only?.candidate.path).toBe('docs/en/a.md');
    expect(only?.copies?.map(({ path }) => path)).toEqual(['docs/de/a.md', 'docs/fr/a.md']);
  });

  it('are shown in the language of the query, else in English, else as ranked', () => {
    const german = analyzeQuery('wie kann ich Verbindungen schließen');
    const three = [page('docs/de/a.md', 0.5), page('docs/a.md', 0.6), page('docs/fr/a.md', 0.9)];
    expect(paths(three, german)).toEqual(['docs/de/a.md']);
    expect(paths(three.slice(1), german)).toEqual(['docs/a.md']);
    expect(paths([page('docs/it/a.md', 0.5), page('docs/fr/a.md', 0.9)], german)).toEqual([
      'docs/fr/a.md',
    ]);
  });

  it('keep all passages of the shown page, and leave pages of other sources and code alone', () => {
    const found = [
      { ...page('docs/a.md', 0.9), startLine: 1, endLine: 9 },
      { ...page('docs/a.md', 0.8), startLine: 10, endLine: 19 },
      { ...page('docs/de/a.md', 0.7), sourceId: 'other' },
      candidate({ path: 'src/is/a.ts', cosine: 0.6 }),
      candidate({ path: 'src/it/a.ts', cosine: 0.5 }),
    ];
    expect(paths(found, ENGLISH)).toHaveLength(5);
  });
});

describe('the language of a query', () => {
  it.each([
    ['where is the pool closed', 'en'],
    ['who closes die hard connections', 'en'],
    ['wo wird der Pool geschlossen', 'de'],
    ['où est la connexion et comment la fermer', 'fr'],
    ['cómo se cierra el pool', 'es'],
    ['как закрыть соединение', 'ru'],
    ['接続を閉じる', 'ja'],
    ['关闭连接', 'zh'],
  ])('of "%s" is %s', (text, language) => {
    expect(queryLanguage(text)).toBe(language);
  });
});
