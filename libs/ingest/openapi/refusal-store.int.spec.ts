import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { RefusalStore } from './refusal-store.js';

describe('a refused specification', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir('footnote-refusals-');
  });
  afterEach(() => folder.remove());

  it('is refused again as long as its bytes and what is made of them stay the same', async () => {
    const path = join(folder.path, 'source');
    expect(await new RefusalStore(path, 'r1').problemOf('h1')).toBeUndefined();
    await new RefusalStore(path, 'r1').write('h1', 'takes too long');
    expect(await new RefusalStore(path, 'r1').problemOf('h1')).toBe('takes too long');
    expect(await new RefusalStore(path, 'r1').problemOf('h2')).toBeUndefined();
    expect(await new RefusalStore(path, 'r2').problemOf('h1')).toBeUndefined();
  });

  it.each(['', '{', '[]', '{"bodyHash":"h1"}'])(
    'is read once more where the note of it is damaged: %j',
    async (text) => {
      writeFileSync(join(folder.path, 'specification.refused'), text);
      expect(await new RefusalStore(folder.path, 'r1').problemOf('h1')).toBeUndefined();
    },
  );
});
