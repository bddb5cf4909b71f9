import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { SentenceEncoder } from '#models';
import { tempDir } from '#test/support/temp-dir';

import { CachedEncoder } from './cached-encoder.js';

const passage = (content: string) => ({ path: 'a.ts', defs: [], content });

describe('CachedEncoder', () => {
  let folder: ReturnType<typeof tempDir>;
  let embedded: string[];
  let encoder: SentenceEncoder;

  beforeEach(() => {
    folder = tempDir('footnote-vectors-');
    embedded = [];
    encoder = {
      id: 'fake-v1',
      dimensions: 16,
      embedQuery: () => Promise.resolve(new Float32Array(16)),
      embedPassage: ({ content }) => {
        embedded.push(content);
        return Promise.resolve(new Float32Array(16).fill(content.length));
      },
      close: () => Promise.resolve(),
    };
  });
  afterEach(() => folder.remove());

  const open = () => new CachedEncoder(encoder, folder.path, 'repository');

  it('embeds a passage once, over several runs', async () => {
    for (let run = 0; run < 2; run += 1) {
      const cached = open();
      expect(await cached.embedPassage(passage('one'))).toEqual(new Float32Array(16).fill(3));
      expect(await cached.embedPassage(passage('three'))).toEqual(new Float32Array(16).fill(5));
      await cached.close();
    }
    expect(embedded).toEqual(['one', 'three']);
  });

  it('embeds the same text under another path again', async () => {
    const cached = open();
    await cached.embedPassage(passage('one'));
    await cached.embedPassage({ ...passage('one'), path: 'b.ts' });
    await cached.close();
    expect(embedded).toEqual(['one', 'one']);
  });

  it('removes a record that was cut off', async () => {
    const first = open();
    await first.embedPassage(passage('one'));
    await first.close();
    const [file] = readdirSync(folder.path) as [string];
    appendFileSync(join(folder.path, file), 'half of a record');
    const second = open();
    await second.embedPassage(passage('three'));
    await second.close();
    const third = open();
    await third.embedPassage(passage('one'));
    expect(await third.embedPassage(passage('three'))).toEqual(new Float32Array(16).fill(5));
    await third.close();
    expect(embedded).toEqual(['one', 'three']);
  });
});
