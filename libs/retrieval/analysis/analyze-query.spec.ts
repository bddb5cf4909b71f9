import { describe, expect, it } from '@jest/globals';

import { analyzeQuery } from './analyze-query.js';

describe('analyzeQuery', () => {
  it('leaves out stop and question words, and repeats', () => {
    expect(analyzeQuery('How does the parser parse the tokens of a parser?').terms).toEqual([
      'parser',
      'pars',
      'token',
    ]);
  });

  it('leaves out function words of plain English', () => {
    expect(analyzeQuery('how messages should be sent between them using a channel').terms).toEqual([
      'messag',
      'sent',
      'channel',
    ]);
  });

  it('counts repeats, which weigh in the embedding', () => {
    expect(Array.from(analyzeQuery('cache the cache key').frequencies)).toEqual([2, 1]);
  });

  it('searches nothing for stop words alone, except a symbol that is named by one', () => {
    expect(analyzeQuery('what is this')).toMatchObject({
      saysNothing: true,
      terms: [],
      identifiers: [],
    });
    expect(analyzeQuery('then')).toMatchObject({
      saysNothing: true,
      terms: [],
      identifiers: ['then'],
    });
    for (const query of ['what is a parser', '404', '???'])
      expect(analyzeQuery(query).saysNothing).toBe(false);
  });

  it.each([
    ['Session', 'Session'],
    ['http.client.Session#get', 'get'],
    ['std::fs::read_to_string()', 'read_to_string'],
    ['App\\Models\\User', 'User'],
    ['$this->handle', 'handle'],
  ])('takes %s for one identifier', (text, identifier) => {
    expect(analyzeQuery(text)).toMatchObject({ identifier, identifiers: [identifier] });
  });

  it.each([
    ['GET /users/{id}', ['GET /users/{}']],
    ['what does post https://api.example/v2/users/:id/keys? return', ['POST /v2/users/{}/keys']],
    ['/users/42', ['/users/{}']],
    ['where is `/users/{id}` described', ['/users/{}']],
    ['repos/list-for-user', ['repos/list-for-user']],
  ])('looks up what %s spells out', (text, spelled) => {
    const query = analyzeQuery(text);
    expect(query.spelled).toEqual(spelled);
    expect(query.identifiers).toEqual(expect.arrayContaining(spelled));
  });

  it('looks up names with signs in them that a sentence has', () => {
    const { identifiers, spelled } = analyzeQuery('how to call repos/list-for-user, or pets.list.');
    expect([identifiers, spelled]).toEqual([['repos/list-for-user', 'pets.list'], []]);
  });

  it.each(['two words', 'a+b', '404', '???'])('does not take %s for one', (text) => {
    expect(analyzeQuery(text).identifier).toBeUndefined();
  });

  it('asks for the parts of a name that is too long to be a term', () => {
    const name = 'test_template_filter_after_route_with_template';
    expect(analyzeQuery(name)).toMatchObject({
      terms: ['test', 'templat', 'filter', 'after', 'rout'],
      identifiers: [name],
    });
    expect(analyzeQuery(`callers of ${name}`).identifiers).toEqual([name]);
  });

  it.each([
    ['why does _expect wait twice', ['_expect']],
    ['why does `draw` call `_Style` and `parse_body`', ['_Style', 'parse_body', 'draw']],
    ['why does draw call `a b` or `x.y`', ['x.y']],
  ])('finds names by an underscore in front or by backticks: %s', (text, names) => {
    expect(analyzeQuery(text).identifiers).toEqual(names);
  });

  it('finds identifiers inside a text', () => {
    const { identifiers } = analyzeQuery(
      'where does UserStore call load_all and parseBody, not store',
    );
    expect(identifiers).toEqual(['UserStore', 'load_all', 'parseBody']);
  });

  it('takes capitalised words for names, but not stop words, acronyms or a lone word', () => {
    const { identifiers, capitalised } = analyzeQuery(
      'How does a Functor of UserStore differ from an HTTP Request?',
    );
    expect(identifiers).toEqual(['UserStore', 'Functor', 'Request']);
    expect([...capitalised]).toEqual([
      ['Functor', 'functor'],
      ['Request', 'request'],
    ]);
    expect(analyzeQuery('Functor')).toMatchObject({
      identifiers: ['Functor'],
      capitalised: new Map(),
    });
  });

  it('bounds what one query can ask', () => {
    const query = analyzeQuery(Array.from({ length: 200 }, (_, i) => `word_${i}`).join(' '));
    expect(query.terms).toHaveLength(64);
    expect(query.identifiers).toHaveLength(16);
  });
});
