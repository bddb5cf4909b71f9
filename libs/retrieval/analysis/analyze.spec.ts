import { describe, expect, it } from '@jest/globals';

import { analyze } from './analyze.js';

describe('analyze (code-en-v1)', () => {
  it.each([
    [
      'parseHTTPResponse get_user_ids caches running',
      'parsehttpresponse pars http respons get_user_ids get user ids cach run',
    ],
    ['HTTPServer', 'httpserver http server'],
    ['__init__ _private $scope', 'init privat scop'],
    ['a b2 x_y', 'a b2 x_y'],
    ['123abc 4.5', '123 abc 4 5'],
    ['queries classes boxes status processed stopping', 'query class box status process stop'],
    ['_ $ -- ', ''],
  ])('reads %j', (text, terms) => {
    expect(analyze(text).join(' ')).toBe(terms);
  });

  it('leaves words of more than 40 characters out', () => {
    expect(analyze(`${'xy'.repeat(20)} ${'y'.repeat(41)} ok`)).toEqual(['xy'.repeat(20), 'ok']);
  });

  it('keeps the terms of ASCII words where the text goes beyond ASCII', () => {
    expect(analyze('parseHTTPResponse — “get_user_ids” caches…')).toEqual(
      analyze('parseHTTPResponse get_user_ids caches'),
    );
  });

  it.each([
    ['größe Überprüfung', 'größ überprüfung'],
    ['ＨＴＴＰ ﬁle', 'http file'],
    ['été', 'été'],
    ['データ検索', 'デー ータ タ検 検索'],
    ['鳥', '鳥'],
    ['getデータ', 'get デー ータ'],
    ['𠮷野家', '𠮷野 野家'],
    ['Привет мир', 'привет мир'],
    ['한국어 검색', '한국어 검색'],
  ])('reads %j in NFKC, scripts without spaces as bigrams', (text, terms) => {
    expect(analyze(text).join(' ')).toBe(terms.normalize('NFKC'));
  });
});
