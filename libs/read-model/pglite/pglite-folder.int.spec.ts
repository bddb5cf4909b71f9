import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { prepareFolder } from './pglite-folder.js';

describe('the folder of read models from the prepared image', () => {
  let scratch: ReturnType<typeof tempDir>;
  let image: string;
  let folder: string;

  beforeEach(() => {
    scratch = tempDir('image-');
    image = join(scratch.path, 'image');
    folder = join(scratch.path, 'data/read-models');
    mkdirSync(join(image, 'pg_notify'), { recursive: true });
    writeFileSync(join(image, 'pg_notify/.keep'), '');
    writeFileSync(join(image, 'PG_VERSION'), '18\n');
  });
  afterEach(() => scratch.remove());

  it('has the empty folders of a packed image, without the files that keep them', async () => {
    await prepareFolder(folder, image);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['PG_VERSION', 'pg_notify']);
  });

  it('stays as it is when it exists', async () => {
    mkdirSync(folder, { recursive: true });
    await prepareFolder(folder, image);
    expect(readdirSync(folder)).toEqual([]);
  });
});
