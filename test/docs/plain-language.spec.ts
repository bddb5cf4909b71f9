import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from '@jest/globals';

const FILE = pathToFileURL(resolve('tools/eslint/plain-words.mjs')).href;
const { problemsOfProse } = (await import(FILE)) as {
  problemsOfProse: (prose: string) => readonly string[];
};

/** Pages whose text is written elsewhere: generated from the code, or questions of users. */
const QUOTING = ['docs/configuration.md', 'docs/events.md', 'docs/evaluation/chat.md'];
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].filter((page) => !QUOTING.includes(page));

/** Returns the prose of a page: without code, addresses, and titles of tests. */
function proseOf(page: string): string {
  return page
    .replace(/^ *```[^]*?^ *```/gm, '')
    .replace(/``[^]*?``|`[^`]*`/g, '``')
    .replace(/\[[^\]]*\]\([^)\s]*\.spec\.ts\)/g, '')
    .replace(/\]\([^)\s]*\)/g, ']');
}

/** Returns the paragraphs of a page that break the language rules, with the reasons. */
function problemsOf(page: string): readonly string[] {
  return proseOf(page)
    .split(/\n\s*\n|\n(?=\|)/)
    .flatMap((paragraph) =>
      problemsOfProse(paragraph).map((problem) => `${problem} ${paragraph.trim()}`),
    );
}

describe('language of the documentation', () => {
  it.each(PAGES)('avoids riddles and British spelling in %s', (page) => {
    expect(problemsOf(readFileSync(page, 'utf8'))).toEqual([]);
  });

  it('rejects an avoided word in prose', () => {
    expect(problemsOf('The index is built\nanew.\n\nFine.')).toEqual([
      expect.stringContaining('Avoid "anew"'),
    ]);
  });

  it('accepts avoided words in code and in titles of tests', () => {
    const page = 'See `told`.\n\n```sh\ntell it\n```\n\n[tells it](../a/b.spec.ts)';
    expect(problemsOf(page)).toEqual([]);
  });
});
