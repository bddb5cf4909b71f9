import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { StoredDocumentBuilder } from '#search-index/pack/stored-document';

import { parseQuery } from '../query/parse-query.js';
import type { MatchRequest, PostedDocument } from './match-protocol.js';
import { packRequest, unpackRequest } from './packed-request.js';

const name = fc.constantFrom('a', 'b', 'c');
const gap = fc.option(fc.constantFrom('', '\n', '\n\n'), { nil: undefined });
const chunk = fc.record({
  file: name,
  place: fc.record({
    at: fc.nat(2 ** 40),
    packedLength: fc.nat(),
    rawLength: fc.nat(),
    crc: fc.nat(),
  }),
  offset: fc.nat(),
  length: fc.nat(),
  line: fc.option(fc.nat(), { nil: undefined }),
  before: gap,
  after: gap,
});
const stored = fc.array(chunk, { maxLength: 4 }).map((chunks) => {
  const builder = new StoredDocumentBuilder();
  for (const { file, place, offset, length, line, before, after } of chunks)
    builder.add(
      builder.file(file),
      place,
      offset,
      length,
      line,
      builder.gap(before),
      builder.gap(after),
    );
  return builder.document();
});
const pieces = fc.constant({ pieces: [{ startLine: 1, content: 'text' }] });
const documents = fc.array(fc.record({ path: name, text: fc.oneof(stored, pieces) }));

/** Returns the chunks of a document with names in place of their numbers. */
function namedChunks({ text }: PostedDocument): unknown {
  if (!('files' in text)) return text;
  const { files, gaps, chunks } = text;
  return Array.from({ length: chunks.length / 10 }, (_, at) => {
    const [file = -1, ...numbers] = Array.from(chunks).slice(at * 10, at * 10 + 10);
    const [before = -1, after = -1] = numbers.splice(-2);
    return [files[file], numbers, gaps[before], gaps[after]];
  });
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
        expect(unpacked.documents.map(namedChunks)).toEqual(some.map(namedChunks));
        expect(unpacked.documents.map(({ path }) => path)).toEqual(some.map(({ path }) => path));
      }),
    );
  });
});
