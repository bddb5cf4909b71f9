import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { IndexedSource, uuidOf } from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

import { openSegmentIndex } from './segment-index.js';

const TENANT = uuidOf('tenant one');

describe('opening an index that must not be changed yet', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const files = () => readdirSync(folder.path, { recursive: true }).map(String).sort();
  const inTenant = (...names: string[]) => join(folder.path, TENANT, ...names);

  it('removes neither unreadable nor unnamed files until it may', async () => {
    const source = new IndexedSource(TENANT, uuidOf('source'));
    const index = await openSegmentIndex({ directory: folder.path });
    await index.applyGeneration(
      source.manifest(1, [source.pack([{ path: 'a.ts', text: 'plum' }])]),
      source.readBlob,
    );
    await index.close();
    writeFileSync(inTenant('generations', `${source.sourceId}.2.json`), '{');
    writeFileSync(inTenant('segments', 'nobody'), 'left over');
    const before = files();
    const refusal = new Error('of another log');
    const refused = openSegmentIndex({
      directory: folder.path,
      beforeChange: () => Promise.reject(refusal),
    });
    await expect(refused).rejects.toBe(refusal);
    expect(files()).toEqual(before);
    const opened = await openSegmentIndex({
      directory: folder.path,
      beforeChange: () => Promise.resolve(),
    });
    expect(await opened.generations()).toHaveLength(1);
    await opened.close();
    expect(files()).toHaveLength(before.length - 2);
  });
});
