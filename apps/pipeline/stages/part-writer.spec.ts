import { describe, expect, it } from '@jest/globals';

import type { PartStore } from '../artifacts/attempt-blobs.js';
import { decodeRawPart } from '../artifacts/raw-part.js';
import { PartWriter } from './part-writer.js';

/** Paths of each part that was written, in order. */
async function partsOf(files: number, bytesEach: number): Promise<string[][]> {
  const parts: string[][] = [];
  const store: Pick<PartStore, 'put'> = {
    put: async (bytes) => `part-${parts.push(decodeRawPart(bytes).map(({ path }) => path))}`,
  };
  const writer = new PartWriter(store, files);
  for (let file = 0; file < files; file += 1) {
    await writer.add({
      path: `${file}`,
      kind: 'file',
      bytes: new Uint8Array(bytesEach).fill(file),
    });
  }
  expect(await writer.finish()).toEqual(parts.map((_, index) => `part-${index + 1}`));
  return parts;
}

describe('the parts of what was fetched', () => {
  it('hold every file once, in order', async () => {
    const parts = await partsOf(70, 10);
    expect(parts.flat()).toEqual(Array.from({ length: 70 }, (_, file) => `${file}`));
  });

  it('are a single one for a handful of files, and none for no file', async () => {
    expect((await partsOf(16, 10)).length).toBe(1);
    expect((await partsOf(0, 10)).length).toBe(0);
  });

  it('are about eight for a small source, so that several threads have work', async () => {
    expect((await partsOf(640, 10)).map((part) => part.length)).toEqual(
      Array.from({ length: 8 }, () => 80),
    );
  });

  it('have at most 256 files and about 1 MiB', async () => {
    expect(Math.max(...(await partsOf(4_000, 1)).map((part) => part.length))).toBe(256);
    expect((await partsOf(12, 600_000)).map((part) => part.length)).toEqual([2, 2, 2, 2, 2, 2]);
  });
});
