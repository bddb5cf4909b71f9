import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { readMarkdownPage } from '#test/support/markdown-page';

const guaranteesOf = (page: string) =>
  readMarkdownPage(page).links.filter(({ target }) => target.endsWith('.spec.ts'));
const REFERENCE = guaranteesOf('docs/guarantees.md');
const README = guaranteesOf('README.md');

describe('guarantees', () => {
  it('are listed in the reference, six of them in the README', () => {
    expect(REFERENCE.length).toBeGreaterThanOrEqual(25);
    expect(README.length).toBe(6);
    const known = REFERENCE.map(({ target, text }) => `${target}: ${text}`);
    expect(
      README.map(({ target, text }) => `${target}: ${text}`).filter(
        (each) => !known.includes(each),
      ),
    ).toEqual([]);
  });

  it.each([...REFERENCE, ...README].map(({ text, target }) => [text, target]))(
    'are proven by a test titled "%s"',
    (title, file) => {
      expect(existsSync(file)).toBe(true);
      expect(readFileSync(file, 'utf8')).toContain(title);
    },
  );
});
