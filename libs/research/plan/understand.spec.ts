import { describe, expect, it } from '@jest/globals';

import { isRepositoryName, understand } from '#research';

describe('understand', () => {
  it.each([
    ['Where is `Session.get` defined?', ['Session.get']],
    [
      'how does dispatch_request call full_dispatch_request()',
      ['dispatch_request', 'full_dispatch_request'],
    ],
    ['What raises BuildError in url_for?', ['BuildError', 'url_for']],
    ['How does h2::client::Builder limit frames?', ['h2::client::Builder']],
    ['how are cookies parsed', []],
    ['What does `dispatch` do?', ['dispatch']],
  ])('returns the identifiers of %s', (question, identifiers) => {
    expect([...understand(question).identifiers].sort()).toEqual([...identifiers].sort());
  });

  it.each([
    ['Compare retries in both clients', 'compare'],
    ['Who calls FlagSet.Parse?', 'callers'],
    ['Which setting limits the size of a body?', 'setting'],
    ['Where are routes matched?', 'where'],
    ['Why is the header dropped?', 'why'],
    ['How is a request dispatched?', 'how'],
    ['middleware order', 'other'],
  ])('returns the kind of %s', (question, kind) => {
    expect(understand(question).kind).toBe(kind);
  });

  it('distinguishes repositories, paths and pairs of words', () => {
    const { repositories, paths } = understand(
      'Does pallets/flask read src/flask/app.py and go.mod for read/write, as https://github.com/spf13/cobra does?',
    );
    expect(repositories).toEqual(['spf13/cobra', 'pallets/flask']);
    expect(paths).toEqual(['src/flask/app.py', 'go.mod']);
  });

  it('returns errors by name and by quoted text', () => {
    const understood = understand('Why "connection refused" and ENOENT with TimeoutError?');
    expect(understood.errors).toEqual(['ENOENT', 'TimeoutError', 'connection refused']);
    expect(understood.quoted).toEqual(['connection refused']);
  });

  it('returns the packages that a question names as such', () => {
    expect(understand('Is @scope/name newer than package urllib3?').packages).toEqual([
      '@scope/name',
      'urllib3',
    ]);
    expect(understand('Which package is used?').packages).toEqual([]);
  });

  it('leaves the names of the repositories out of the terms', () => {
    const { terms } = understand('How does flask match routes?', ['pallets/flask']);
    expect(terms).not.toContain('flask');
    expect(terms).toContain('rout');
    expect(understand('flask', ['pallets/flask']).terms).toEqual(['flask']);
  });

  it('removes hidden characters', () => {
    expect(understand('How is ro\u200Buting\u202E done?').question).toBe('How is routing done?');
  });

  it('bounds every list', () => {
    const many = Array.from({ length: 100 }, (_, at) => `name_${at}() src/f${at}.py`).join(' ');
    const { identifiers, paths } = understand(many);
    expect(identifiers).toHaveLength(8);
    expect(paths).toHaveLength(8);
  });
});

describe('isRepositoryName', () => {
  it.each(['a/b', 'pallets/flask', 'A-b-1/x.y_z-w', `${'a'.repeat(39)}/${'b'.repeat(100)}`])(
    'accepts %s',
    (name) => expect(isRepositoryName(name)).toBe(true),
  );
  it.each([
    'a',
    'a/',
    '/b',
    'a/b/c',
    '-a/b',
    'a-/b',
    'a--b/c',
    'a/..',
    'a/.',
    'a b/c',
    'a_b/c',
    'a/b c',
    `${'a'.repeat(40)}/b`,
    `a/${'b'.repeat(101)}`,
    'a/b\n',
    'é/b',
  ])('rejects %j', (name) => expect(isRepositoryName(name)).toBe(false));
});
