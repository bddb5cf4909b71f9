import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

const README = readFileSync('README.md', 'utf8');
const GUARANTEES = [
  ...README.matchAll(/^\| (?<promise>[^|]+) \| \[(?<title>[^\]]+)\]\((?<file>[^)]+\.spec\.ts)\)\s*\|$/gm),
];

describe('README', () => {
  it('has its guarantees as a table', () => {
    expect(GUARANTEES.length).toBeGreaterThanOrEqual(15);
  });

  it.each(GUARANTEES.map(({ groups }) => [groups?.['promise']?.trim(), groups?.['title'], groups?.['file']]))(
    'proves "%s" by a test of that name',
    (_promise, title = '', file = '') => {
      expect(existsSync(file)).toBe(true);
      expect(readFileSync(file, 'utf8')).toContain(title);
    },
  );

  it('links only to files that are there', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = [...README.matchAll(/npm (?:run )?([a-z][a-z:]*)/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !(name in scripts) && name !== 'are')).toEqual([]);
  });
});
