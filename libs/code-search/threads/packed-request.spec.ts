import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { StoredDocument } from '#search-index';
import type { StoredPack } from '#search-index/pack/stored-pack';

import { parseQuery } from '../query/parse-query.js';
import type { MatchRequest, PostedDocument } from './match-protocol.js';
import { packRequest, unpackRequest } from './packed-request.js';

const name = fc.constantFrom('a', 'b', 'c');
const tables = new Uint8Array(new SharedArrayBuffer(1));
const packOf = (file: string): StoredPack => ({ file, textAt: 0, tables, bounds: [] });
/** Documents name the same packs, each in its own order. */
const packs = new Map(['a', 'b', 'c'].map((file) => [file, packOf(file)]));
const run = fc.record({ file: name, first: fc.nat(), end: fc.nat() });
const stored = fc
  .record({ runs: fc.array(run, { maxLength: 4 }), bytes: fc.nat(2 ** 40) })
  .map(({ runs, bytes }): StoredDocument => {
    const files = [...new Set(runs.map(({ file }) => file))];
    return {
      packs: files.map((file) => packs.get(file) as StoredPack),
      runs: runs.flatMap(({ file, first, end }) => [files.indexOf(file), first, end]),
      bytes,
    };
  });
const pieces = fc.constant({ pieces: [{ startLine: 1, content: 'text' }] });
const documents = fc.array(fc.record({ path: name, text: fc.oneof(stored, pieces) }));

/** Returns the runs of a document with names in place of the numbers of packs. */
function namedRuns({ text }: PostedDocument): unknown {
  if (!('packs' in text)) return text;
  const runs = Array.from({ length: text.runs.length / 3 }, (_, at) => {
    const [pack = -1, ...chunks] = Array.from(text.runs).slice(at * 3, at * 3 + 3);
    return [text.packs[pack]?.file, chunks];
  });
  return { runs, bytes: text.bytes };
}

describe('packRequest', () => {
  it('keeps the texts and places of any documents', () => {
    fc.assert(
      fc.property(documents, (some) => {
        const request: MatchRequest = {
          query: parseQuery('x'),
          documents: some,
          contextLines: 0,
          maxLines: 1,
          budgetMs: 1,
          oneByOne: false,
          stop: new SharedArrayBuffer(4),
        };
        const unpacked = unpackRequest(packRequest(request));
        expect(unpacked.documents.map(namedRuns)).toEqual(some.map(namedRuns));
        expect(unpacked.documents.map(({ path }) => path)).toEqual(some.map(({ path }) => path));
      }),
    );
  });
});
