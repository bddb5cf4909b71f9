import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { replaceFile, replaceScratchFile } from './replace-file.js';

describe.each([
  ['a file', replaceFile],
  ['a scratch file', replaceScratchFile],
])('%s that is replaced', (_, replace) => {
  let folder: ReturnType<typeof tempDir>;

  beforeEach(() => {
    folder = tempDir('replace-file');
  });

  afterEach(() => folder.remove());

  it('is the old or the new one for its readers, and for its owner alone', async () => {
    const path = join(folder.path, 'file');
    const versions = ['a', 'b'].map((letter) => Buffer.from(letter.repeat(100_000)));
    await replace(path, versions[0] as Buffer);
    let writing = true;
    const written = Promise.all(
      Array.from({ length: 20 }, (__, nth) => replace(path, versions[nth % 2] as Buffer)),
    );
    void written.finally(() => (writing = false));
    for (; writing; await new Promise(setImmediate)) {
      const read = readFileSync(path);
      expect(versions.some((version) => version.equals(read))).toBe(true);
    }
    await written;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['file']);
  });

  it('leaves no draft after a failure', async () => {
    mkdirSync(join(folder.path, 'file', 'inside'), { recursive: true });
    await expect(replace(join(folder.path, 'file'), Buffer.from('new'))).rejects.toThrow();
    expect(readdirSync(folder.path)).toEqual(['file']);
  });
});
