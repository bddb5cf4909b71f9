import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { matchTexts } from '#contracts/content/match-texts';

import { RustLineEngine } from '../pattern/rust-line-engine.js';
import { parseQuery } from '../query/parse-query.js';
import { LineWriter } from './line-writer.js';
import { matchDocuments, scanMatches } from './match-documents.js';
import { evidenceOfDocument, evidenceOfLine } from './match-evidence.js';
import { QueryMatcher } from './query-matcher.js';
import { writtenLines } from './written-lines.js';

const engine = new RustLineEngine();
const LABELS = [
  { path: 'src/é.ts', key: '["s",1,"src/é.ts"]' },
  { path: 'b', key: '["s",2,"b"]' },
];
const words = ['needle', 'né\u{1f600}', ' ', 'x'.repeat(998), 'yz\r', '\u{1f600}'.repeat(501)];
const line = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((parts) => parts.join(''));
const texts = fc.array(fc.array(line, { maxLength: 9 }), { minLength: 2, maxLength: 2 });

describe('LineWriter', () => {
  it.each(['needle', 'n', 'file:b'])(
    'writes the lines and rows of each document for %j',
    (query) => {
      const matcher = new QueryMatcher(parseQuery(query), engine);
      const property = (
        all: readonly (readonly string[])[],
        contextLines: number,
        most: number,
      ) => {
        const documents = all.map((lines, at) => {
          return { path: LABELS[at]?.path ?? '', text: { text: lines.join('\n'), starts: [0] } };
        });
        const options = { contextLines, maxLines: 1_000, isLate: () => false };
        const shown = matchDocuments(documents, matcher, options);
        const writer = new LineWriter((at) => LABELS[at] ?? { path: '', key: '' }, contextLines);
        scanMatches(documents, matcher, options, writer.write);
        const written = [...writtenLines(writer.written())].map(({ index, count, first }) => {
          const { text, evidence, lastNumber } = first(most);
          return [
            index,
            count,
            String(Buffer.from(text)),
            String(Buffer.from(evidence)),
            lastNumber,
          ];
        });
        const expected = shown.documents.map(({ index, lines }) => {
          const { path, key } = LABELS[index] ?? { path: '', key: '' };
          const some = lines.slice(0, most);
          const rows = some.map(({ number, ranges }) => evidenceOfLine(key, number, ranges));
          return lines.length === 0
            ? [index, 0, `${path}\n`, evidenceOfDocument(key), undefined]
            : [
                index,
                lines.length,
                some.flatMap((each) => matchTexts(path, each).map((text) => `${text}\n`)).join(''),
                rows.join(''),
                some.at(-1)?.number,
              ];
        });
        expect(written).toEqual(expected);
      };
      fc.assert(fc.property(texts, fc.nat(2), fc.integer({ min: 1, max: 9 }), property), {
        numRuns: 150,
      });
      matcher.free();
    },
  );

  it('writes rows as JSON does', () => {
    const ranges = [
      [1, 2],
      [30, 40],
    ] as const;
    const [{ key }] = LABELS as [(typeof LABELS)[number]];
    expect(evidenceOfLine(key, 7, ranges)).toBe(
      `${JSON.stringify(['s', 1, 'src/é.ts', 7, ranges])}\n`,
    );
    expect(evidenceOfLine(key, 7, [])).toBe(`${JSON.stringify(['s', 1, 'src/é.ts', 7, []])}\n`);
  });
});
