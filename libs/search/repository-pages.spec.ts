import { describe, expect, it } from '@jest/globals';

import { citedUrl, permalink, repositoryAddress, repositoryPages } from './repository-pages.js';

const SHA = '0123456789abcdef0123456789abcdef01234567';
const NO_OTHERS = {};

function linkTo(
  url: string,
  place: { path: string; start_line?: number; end_line?: number },
  kinds = NO_OTHERS,
) {
  const pages = repositoryPages(url, kinds);
  return pages && permalink(pages, { version_ref: SHA, ...place });
}

describe('the page that shows cited lines', () => {
  const place = { path: 'src/app.ts', start_line: 10, end_line: 20 };

  it.each([
    ['https://github.com/acme/site', `https://github.com/acme/site/blob/${SHA}/src/app.ts#L10-L20`],
    [
      'https://gitlab.com/acme/group/site',
      `https://gitlab.com/acme/group/site/-/blob/${SHA}/src/app.ts#L10-20`,
    ],
    [
      'https://bitbucket.org/acme/site',
      `https://bitbucket.org/acme/site/src/${SHA}/src/app.ts#lines-10:20`,
    ],
    [
      'https://codeberg.org/acme/site',
      `https://codeberg.org/acme/site/src/commit/${SHA}/src/app.ts#L10-L20`,
    ],
  ])('of %s has the form of its host', (url, link) => {
    expect(linkTo(url, place)).toBe(link);
    expect(linkTo(`${url}.git`, place)).toBe(link);
    expect(linkTo(`${url}/`, place)).toBe(link);
  });

  it.each([
    ['git@github.com:acme/site.git', 'https://github.com/acme/site'],
    ['ssh://git@ssh.github.com:443/acme/site.git', 'https://github.com/acme/site'],
    ['ssh://git@altssh.gitlab.com:443/acme/site', 'https://gitlab.com/acme/site'],
    ['http://github.com/acme/site', 'https://github.com/acme/site'],
    ['https://GitHub.com/acme/site', 'https://github.com/acme/site'],
  ])('is on the web however %s is read', (url, base) => {
    expect(repositoryPages(url, NO_OTHERS)?.base).toBe(base);
  });

  it.each([
    ['https://git.example.com/acme/site', 'https://git.example.com/acme/site'],
    ['https://git.example.com:8443/acme/site', 'https://git.example.com:8443/acme/site'],
    ['http://git.example.com:3000/acme/site', 'http://git.example.com:3000/acme/site'],
    ['ssh://git@git.example.com:2222/acme/site.git', 'https://git.example.com/acme/site'],
  ])('of a host of the operator is where %s is', (url, base) => {
    expect(repositoryPages(url, { 'git.example.com': 'gitea' })).toEqual({ kind: 'gitea', base });
    expect(repositoryPages(url, NO_OTHERS)).toBeNull();
  });

  it('distinguishes two services of one host by their ports', () => {
    const kinds = { 'git.example.com': 'gitea', 'git.example.com:8443': 'gitlab' } as const;
    expect(repositoryPages('https://git.example.com:8443/a/b', kinds)?.kind).toBe('gitlab');
    expect(repositoryPages('https://git.example.com/a/b', kinds)?.kind).toBe('gitea');
  });

  it.each([
    'https://github.com/acme',
    'https://github.com/a/b/c',
    'https://github.com',
    'file:///srv/a',
    'nonsense',
    null,
  ])('is not known for %s', (url) => {
    expect(repositoryPages(url, NO_OTHERS)).toBeNull();
  });

  it('is not that of a host whose name only ends or begins like a known one', () => {
    expect(repositoryPages('https://github.com.evil.example/a/b', NO_OTHERS)).toBeNull();
    expect(repositoryPages('https://notgithub.com/a/b', NO_OTHERS)).toBeNull();
  });

  it.each([
    ['docs/a b#1?.ts', 'docs/a%20b%231%3F.ts'],
    ['100%.ts', '100%25.ts'],
    ['naïve/日本.ts', 'na%C3%AFve/%E6%97%A5%E6%9C%AC.ts'],
    ['caf\uFFFDE9.ts', 'caf%E9.ts'],
    ["it's (1)+[x]&y=.ts", 'it%27s%20%281%29%2B%5Bx%5D%26y%3D.ts'],
    ['\\back\nline.ts', '%5Cback%0Aline.ts'],
  ])('writes %j so that it is that file and no other', (path, encoded) => {
    const link = linkTo('https://github.com/acme/site', { path, start_line: 1, end_line: 1 });
    expect(link).toBe(`https://github.com/acme/site/blob/${SHA}/${encoded}#L1`);
    expect(new URL(link ?? '').href).toBe(link);
  });

  it('names one line as one, and none where none is cited', () => {
    expect(linkTo('https://gitlab.com/a/b', { path: 'a.ts', start_line: 3, end_line: 3 })).toMatch(
      /a\.ts#L3$/,
    );
    expect(
      linkTo('https://bitbucket.org/a/b', { path: 'a.ts', start_line: 3, end_line: 3 }),
    ).toMatch(/a\.ts#lines-3$/);
    expect(linkTo('https://github.com/a/b', { path: 'README.md' })).toMatch(/README\.md$/);
  });

  it.each([
    ['https://github.com/a/b', 'README.md?plain=1#L3-L4'],
    ['https://gitlab.com/a/b', 'README.md?plain=1#L3-4'],
    ['https://codeberg.org/a/b', 'README.md?display=source#L3-L4'],
  ])('asks %s for the source of what it would render, which has no lines', (url, end) => {
    expect(
      linkTo(url, { path: 'README.md', start_line: 3, end_line: 4 })?.endsWith(`/${end}`),
    ).toBe(true);
  });
});

describe('where a citation is read', () => {
  const at = { version_ref: 'v1' };
  const pages = repositoryPages('https://github.com/a/b', NO_OTHERS);

  it('is the cited address itself, of pages and PDFs on the web', () => {
    const page = 'https://docs.example.com/guide#install';
    expect(citedUrl({ kind: 'docs_html', pages: null }, { ...at, path: page })).toBe(page);
    expect(
      citedUrl({ kind: 'pdf', pages: null }, { ...at, path: 'paper.pdf#page=3' }),
    ).toBeUndefined();
  });

  it('is no address that a repository gives a file for a name', () => {
    expect(
      citedUrl({ kind: 'repo', pages: null }, { ...at, path: 'https://evil.example/x' }),
    ).toBeUndefined();
    expect(citedUrl({ kind: 'repo', pages }, { ...at, path: 'a.ts' })).toBe(
      'https://github.com/a/b/blob/v1/a.ts',
    );
  });
});

describe('the address of a repository', () => {
  it.each([
    'https://github.com/acme/site',
    'https://github.com/acme/site.git',
    'https://github.com/acme/site/',
    'https://GitHub.com/Acme/Site.git/',
    'http://github.com:80/acme/site',
    'https://user@github.com:443/acme/site',
    'git@github.com:acme/site.git',
    'ssh://git@github.com/acme/site',
    'ssh://git@ssh.github.com:443/acme/site.git',
  ])('is the same for %s', (url) => {
    expect(repositoryAddress(url)).toBe('github.com/acme/site');
  });

  it('differs by host, port and path', () => {
    const urls = [
      'https://github.com/acme/site',
      'https://git.example.com/acme/site',
      'https://github.com:8443/acme/site',
      'https://github.com/acme/site.github',
      'https://github.com/acme/site/sub',
    ];
    expect(new Set(urls.map(repositoryAddress)).size).toBe(urls.length);
  });

  it('is null for a text that is no address', () => {
    expect(repositoryAddress('acme/site')).toBeNull();
  });
});
