import { describe, expect, it } from '@jest/globals';

import { pageLinks } from './page-links.js';
import { isSamePage, pageUrl, patternPath, siteOf, sitePattern } from './page-url.js';

const read = (html: string, url = 'https://docs.example/guide/a.html') =>
  pageLinks(Buffer.from(html), undefined, url);

describe('the links of a page', () => {
  it('are absolute, without fragments, each once, and none that is not of the web or not to be followed', async () => {
    const html = `<base href="/other/"><a href="b.html#x">b</a><A HREF='b.html?utm_source=n'>b</A><a href=/c?v=1&amp;w=2>c
      <a href="mailto:x@y.z"><a href="javascript:no()"><a rel="ugc nofollow" href="d"><a name=e><!-- <a href="no"> -->
      <script>'<a href="no">'</script><area href="https://else.example/f">`;
    expect((await read(html)).links).toEqual([
      'https://docs.example/other/b.html',
      'https://docs.example/c?v=1&w=2',
      'https://else.example/f',
    ]);
  });

  it('are read alike wherever a page is cut', async () => {
    const filler = 'x'.repeat(65_000);
    const links = Array.from(
      { length: 40 },
      (_, at) => `/page-${at}?a=${at}&amp;b=${'y'.repeat(at)}`,
    );
    const html =
      filler +
      links.map((link) => `<a class="c" href="${link}">z</a>${'w'.repeat(3_300)}`).join('');
    const expected = links.map((link) => `https://docs.example${link.replace('&amp;', '&')}`);
    expect((await read(html)).links).toEqual(expected);
  });

  it('come with what the page says of itself', async () => {
    const html =
      '<link rel=canonical href="/guide/a"><meta name=ROBOTS content="NoIndex, follow"><a href=b>';
    expect(await read(html)).toEqual({
      links: ['https://docs.example/guide/b'],
      canonical: 'https://docs.example/guide/a',
      noindex: true,
    });
    expect(await read('<meta name=robots content=none><a href=b>')).toMatchObject({
      links: [],
      noindex: true,
    });
  });
});

describe('the URL of a page', () => {
  it('has one spelling', () => {
    expect(pageUrl('HTTPS://Docs.Example:443/a/../b?utm_campaign=x&q=1#c')).toBe(
      'https://docs.example/b?q=1',
    );
    expect(pageUrl('?gclid=x', 'https://docs.example/a')).toBe('https://docs.example/a');
    for (const other of ['ftp://x/', 'https://u:p@x/', 'no', `https://x/${'a'.repeat(3_000)}`]) {
      expect(pageUrl(other)).toBeUndefined();
    }
  });

  it('is of a site below the folder of its root', () => {
    for (const root of [
      'https://docs.example/guide',
      'https://docs.example/guide/',
      'https://docs.example/guide/i.html',
    ]) {
      const isOfSite = siteOf(root);
      expect(
        ['/guide/a', '/guide/b/c', '/guided', '/', '/other/guide/a'].map((path) =>
          isOfSite(`https://docs.example${path}`),
        ),
      ).toEqual([true, true, false, false, false]);
      expect(isOfSite('http://www.docs.example/guide/a')).toBe(true);
      expect(isOfSite('https://docs.example.evil/guide/a')).toBe(false);
    }
  });

  it('is matched by its path, and may be the same page as another', () => {
    expect(patternPath('https://docs.example/a%20b/c?d')).toBe('a b/c');
    expect(patternPath('https://docs.example/%E0%A4%A')).toBe('%E0%A4%A');
    expect(sitePattern('https://docs.example/a/**', 'https://docs.example/x')).toBe('/a/**');
    expect(isSamePage('https://x/a/', 'https://x/a/index.html')).toBe(true);
    expect(isSamePage('https://x/a/', 'https://x/b/')).toBe(false);
  });
});
