import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { TestRepository } from '#test/support/git-repository';
import { tempDir } from '#test/support/temp-dir';

import { commitPairs } from './commit-pairs.js';

const BODY =
  'The first wait is half a second, and each further one is twice as long as the one before.';
const lines = (word: string): string =>
  Array.from({ length: 8 }, (_, at) => `const ${word}${at} = wait(${at});`).join('\n');

describe('the pairs of commits', () => {
  let folder: ReturnType<typeof tempDir>;
  let repository: TestRepository;
  beforeEach(() => {
    folder = tempDir();
    repository = TestRepository.create(folder.path, { 'README.md': 'Read me.\n' });
  });
  afterEach(() => folder.remove());

  const pairs = (most = 100, batch = 2) => commitPairs(folder.path, 'HEAD', most, batch);

  it('join the message of a commit with the largest changes of its files, in their new form', () => {
    repository.commit({ 'src/retry.ts': `${lines('old')}\n` }, 'Add a file of old lines');
    const id = repository.commit(
      {
        'src/retry.ts': `${lines('fresh')}\n`,
        'src/wait.ts': `${lines('wait')}\n`,
        'src/third.ts': `${lines('x')}\n`,
      },
      `fix(http): Wait longer between retries (#12)\n\n${BODY}\n\nSigned-off-by: Ann <ann@example.org>`,
    );
    const found = pairs().pairs.filter(({ group }) => group === id);
    expect(found.map(({ kind, question, passage }) => [kind, question, passage.path])).toEqual([
      ['commit', 'Wait longer between retries', 'src/retry.ts'],
      ['commit', BODY, 'src/third.ts'],
    ]);
    expect(found[0]?.passage.content).toBe(`\n${lines('fresh')}\n`);
  });

  it('are empty for large commits, meaningless ones, deletions, and commits beyond the limit', () => {
    const files = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`src/many${at}.ts`, lines(`m${at}x`)]),
      );
    repository.commit(files(6), 'Change six files at once');
    repository.commit({ 'src/a.ts': lines('a') }, 'Bump the version of everything');
    repository.commit({ 'src/b.ts': lines('b') }, 'Fix it');
    repository.commit(
      { 'src/c.ts': lines('c'), 'vendor/c.ts': lines('v'), '.env': lines('e') },
      'Keep what others wrote',
    );
    repository.commit({ 'src/c.ts': null }, 'Remove what nobody needs');
    repository.commit({ 'src/large.ts': lines('l').repeat(4_000) }, 'Add what is far too large');
    expect(pairs().pairs.map(({ passage }) => passage.path)).toEqual(['src/c.ts']);
    expect(pairs(1)).toEqual({ pairs: [], isComplete: true });
  });

  it('end with the history, and report it', () => {
    repository.commit({ 'src/old.ts': lines('old') }, 'Add the oldest of all files');
    const object = repository.git('rev-parse', 'HEAD:src/old.ts').trim();
    for (let at = 0; at < 4; at++)
      repository.commit({ 'src/new.ts': lines(`new${at}x`) }, `Write the new file again ${at}`);
    expect(pairs()).toMatchObject({ isComplete: true, pairs: { length: 5 } });
    rmSync(join(folder.path, '.git/objects', object.slice(0, 2), object.slice(2)));
    expect(pairs()).toMatchObject({ isComplete: false, pairs: { length: 4 } });
  });
});
