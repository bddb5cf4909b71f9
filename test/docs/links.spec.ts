import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { type MarkdownPage, type PageLink, readMarkdownPage } from '#test/support/markdown-page';

const INDEX = 'docs/README.md';
const DOCS = pagesBelow('docs');
const ROOT = readdirSync('.').filter((name) => name.endsWith('.md'));
const PAGES = new Map(
  [...ROOT, ...DOCS, 'libs/models/data/README.md'].map(
    (path) => [path, readMarkdownPage(path)] as const,
  ),
);

function pagesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

function linksWhere(isWrong: (link: PageLink) => boolean): readonly string[] {
  return [...PAGES.values()].flatMap(({ path, links }) =>
    links.filter(isWrong).map(({ url }) => `${path}: ${url}`),
  );
}

function reachableFrom(start: string): ReadonlySet<string> {
  const reached = new Set<string>([start]);
  // The loop also visits entries that it adds.
  for (const path of reached) {
    for (const { target } of (PAGES.get(path) as MarkdownPage).links) {
      if (DOCS.includes(target)) reached.add(target);
    }
  }
  return reached;
}

describe('links of the documentation', () => {
  it('are found', () => {
    expect(PAGES.get(INDEX)?.links.length).toBeGreaterThan(40);
    expect(PAGES.get(INDEX)?.anchors).toContain('how-to-guides');
  });

  it('lead to files that exist', () => {
    expect(linksWhere(({ target }) => !existsSync(target))).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const isWrong = ({ target, anchor }: PageLink) =>
      anchor !== '' && PAGES.has(target) && !PAGES.get(target)?.anchors.has(anchor);
    expect(linksWhere(isWrong)).toEqual([]);
  });

  it('lead from the index to every page below docs/', () => {
    const reached = reachableFrom(INDEX);
    expect(DOCS.filter((path) => !reached.has(path))).toEqual([]);
  });
});
