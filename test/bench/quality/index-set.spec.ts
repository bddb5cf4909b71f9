import { describe, expect, it } from '@jest/globals';

import { localModel } from '#models';

import { indexSet } from './index-set.js';
import { find, withIndex } from './open-set.js';

describe('indexSet', () => {
  it.each(['Newtonsoft.Json', 'pallets/flask', '..', 'naïve name'])(
    'indexes a repository named %s, and a search finds its lines',
    async (name) => {
      const document = {
        path: 'src/reader.ts',
        kind: 'code' as const,
        language: 'typescript',
        text: 'export function skipComments(): void {}\n',
      };
      await withIndex(async (chunker, index) => {
        const set = { name, revision: 'a1', documents: () => [document] };
        const model = localModel({ id: 'hash-ngram-v1' });
        const live = await indexSet(set, chunker, index, model);
        const { candidates } = await find(index, live, model, 'skip comments');
        expect(candidates.map(({ path }) => path)).toEqual(['src/reader.ts']);
      });
    },
  );
});
