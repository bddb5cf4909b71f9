import { describe, expect, it } from '@jest/globals';

import { cutIntoSources } from './cut-into-sources.js';

const document = (chunks: number, name: string) => Array.from({ length: chunks }, () => name);

describe('cutIntoSources', () => {
  it('gives each source about as many chunks, in the order of the documents', () => {
    const documents = Array.from({ length: 60 }, (_, at) => document(1 + (at % 3), `d${at}`));
    const sources = cutIntoSources(documents, 6);
    expect(sources.flat()).toEqual(documents);
    for (const source of sources)
      expect(Math.abs(source.flat().length - 20)).toBeLessThanOrEqual(2);
  });

  it('keeps a document whole that is larger than a source should be', () => {
    const sources = cutIntoSources([document(1, 'a'), document(9, 'b'), document(2, 'c')], 3);
    expect(sources.map((source) => source.flat().join(''))).toEqual(['a', 'bbbbbbbbb', 'cc']);
  });
});
