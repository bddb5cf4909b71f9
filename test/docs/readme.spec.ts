import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

const README = readFileSync('README.md', 'utf8');
const COMMANDS = [...README.matchAll(/npm (?:run )?([a-z][a-z:]*)/g)].map(([, name = '']) => name);

describe('README', () => {
  it('has at most 900 words', () => {
    expect(README.trim().split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  it('begins with the demo and the tests', () => {
    expect(COMMANDS.slice(0, 2)).toEqual(['demo', 'test']);
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(COMMANDS.filter((name) => !(name in scripts))).toEqual([]);
  });
});
