import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { Chunk } from '#contracts';
import { LANGUAGE_FIXTURES } from '#test/support/language-fixtures';

import type { ParsedDocument } from '../parse/parsed-document.js';
import { type Chunker, createChunker } from './chunker.js';
import { CHUNK_LIMITS } from './limits.js';

let chunker: Chunker;
beforeAll(async () => {
  chunker = await createChunker({
    grammarsDirectory: fileURLToPath(new URL('../../../grammars', import.meta.url)),
  });
});

const FIXTURE_LINES = Object.entries(LANGUAGE_FIXTURES).map(([file, { language }]) => ({
  language,
  lines: readFileSync(
    fileURLToPath(new URL(`../../../../test/fixtures/languages/${file}`, import.meta.url)),
    'utf8',
  ).split('\n'),
}));

const PROSE_LINES = [
  '# Title',
  '## Part',
  'Words and words.',
  '',
  '```js',
  '# code',
  '```',
  'Title',
  '=====',
  '-----',
  '- item',
  '  ',
];
const ODD_LINES = [
  '',
  ' ',
  '\t',
  '\u{1F600}'.repeat(40),
  'x'.repeat(5_000),
  '{'.repeat(300),
  'é\u2028é',
  '"unclosed',
  '/* open',
  '<|endoftext|>',
  '`',
];

/** Lines of one language, shuffled, cut short and mixed with odd ones: mostly broken syntax. */
const documents: fc.Arbitrary<ParsedDocument> = fc
  .constantFrom(
    ...FIXTURE_LINES.map(({ language, lines }) => ({ kind: 'code' as const, language, lines })),
    { kind: 'prose' as const, language: 'markdown', lines: PROSE_LINES },
    { kind: 'prose' as const, language: 'restructuredtext', lines: PROSE_LINES },
    { kind: 'prose' as const, language: 'text', lines: PROSE_LINES },
    { kind: 'lines' as const, language: 'yaml', lines: PROSE_LINES },
  )
  .chain(({ kind, language, lines }) =>
    fc
      .tuple(
        fc.array(
          fc.oneof(
            { weight: 8, arbitrary: fc.constantFrom(...lines) },
            { weight: 2, arbitrary: fc.constantFrom(...lines).map((line) => line.repeat(30)) },
            { weight: 1, arbitrary: fc.constantFrom(...ODD_LINES) },
          ),
          { maxLength: 200 },
        ),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\uFEFF'),
        fc.boolean(),
      )
      .map(([chosen, end, mark, closed]) => ({
        path: 'a',
        kind,
        language,
        text: mark + chosen.join(end) + (closed ? end : ''),
      })),
  );

function linesOf(chunk: Chunk): readonly [number, number] {
  if (chunk.start_line === undefined || chunk.end_line === undefined)
    throw new Error('A chunk of text has lines');
  return [chunk.start_line, chunk.end_line];
}

/** Joins the pieces of each over-long line. */
function joinPieces(chunks: readonly Chunk[]): Map<number, string> {
  const pieces = new Map<number, string>();
  for (const chunk of chunks) {
    const [first, last] = linesOf(chunk);
    if (first === last) pieces.set(first, (pieces.get(first) ?? '') + chunk.content);
  }
  return pieces;
}

describe('chunks of any text', () => {
  it('are the cited lines byte for byte, in order, and hold each line that is not blank once', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const lines = document.text.split('\n');
        const chunks = chunker.chunk(document);
        const pieces = joinPieces(chunks);
        const covered = new Set<number>();
        let previous = 0;
        chunks.forEach((chunk, ordinal) => {
          const [first, last] = linesOf(chunk);
          expect(chunk.ordinal).toBe(ordinal);
          expect(first).toBeLessThanOrEqual(last);
          const cited = lines.slice(first - 1, last).join('\n');
          if (chunk.content !== cited) {
            expect(first).toBe(last);
            expect(cited.replace(/\s/g, '')).toBe(pieces.get(first)?.replace(/\s/g, ''));
            expect(cited).toContain(chunk.content);
          } else expect(first).toBeGreaterThan(previous);
          expect(first).toBeGreaterThanOrEqual(previous);
          for (let line = first; line <= last; line += 1) covered.add(line);
          previous = last;
        });
        const missing = lines.flatMap((line, index) =>
          line.trim() !== '' && !covered.has(index + 1) ? [index + 1] : [],
        );
        expect(missing).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  it('are the text byte for byte together with the white space around them', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const chunks = chunker.chunk(document);
        if (chunks.length === 0) return;
        const text = chunks.map(({ before, content }) => `${before}${content}`).join('');
        expect(`${text}${chunks.at(-1)?.after}`).toBe(document.text);
        expect(chunks.slice(0, -1).filter(({ after }) => after !== undefined)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('stay under the hard limits, and know their hash', () => {
    fc.assert(
      fc.property(documents, (document) => {
        for (const chunk of chunker.chunk(document)) {
          expect(chunk.content.length).toBeLessThanOrEqual(CHUNK_LIMITS.hardCharacters);
          expect(chunk.token_count).toBeLessThanOrEqual(CHUNK_LIMITS.hardTokens);
          expect(chunk.token_count).toBeGreaterThan(0);
          expect(chunk.content.isWellFormed()).toBe(true);
          expect(chunk.content_hash).toBe(createHash('sha256').update(chunk.content).digest('hex'));
        }
      }),
      { numRuns: 120 },
    );
  });

  it('come out the same again', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(chunker.chunk(document)).toEqual(chunker.chunk(document));
      }),
      { numRuns: 40 },
    );
  });
});
