import { describe, expect, it } from '@jest/globals';

import { threadMilliseconds } from '#test/support/thread-time';

import { CHUNK_LIMITS } from './limits.js';
import { LineTable } from './line-table.js';
import { outlineLines } from './outline-lines.js';
import { type Outline, OUTLINES } from './outlines.js';

const { protobuf, graphql } = OUTLINES as Readonly<Record<'protobuf' | 'graphql', Outline>>;

function outline(text: string, language: Outline) {
  const lines = new LineTable(text);
  const { spans, names } = outlineLines(lines, language);
  return { cut: spans.map(({ first, last }) => lines.slice(first, last).trim()), names, lines };
}

/** Returns a message of about `size` characters with a comment above it. */
function message(name: string, size: number): string {
  const fields = Array.from(
    { length: Math.ceil(size / 30) },
    (_, at) => `  string field_number_${at} = ${at + 1};`,
  );
  return `// Says ${name}.\nmessage ${name} {\n${fields.join('\n')}\n}\n`;
}

describe('an outline', () => {
  it('keeps definitions whole, each with the comment above it', () => {
    const { cut } = outline(
      `${message('A', 1_000)}\n${message('B', 1_000)}\n${message('C', 1_000)}`,
      protobuf,
    );
    expect(cut.map((text) => text.split('\n', 1)[0])).toEqual([
      '// Says A.',
      '// Says B.',
      '// Says C.',
    ]);
    for (const text of cut) expect(text.endsWith('}')).toBe(true);
  });

  it('packs small ones together', () => {
    const { cut } = outline(`${message('A', 300)}\n${message('B', 300)}`, protobuf);
    expect(cut).toHaveLength(1);
  });

  it('cuts a large definition where its parts begin', () => {
    const inner = ['One', 'Two', 'Three']
      .map((name) => message(name, 900).replace(/^(?=.)/gm, '  '))
      .join('\n');
    const { cut } = outline(`message Outer {\n${inner}}\n`, protobuf);
    expect(cut.slice(1).map((text) => text.split('\n', 1)[0]?.trim())).toEqual([
      '// Says Two.',
      '// Says Three.',
    ]);
    for (const text of cut) expect(text.length).toBeLessThanOrEqual(CHUNK_LIMITS.hardCharacters);
  });

  it('reports the last line of each definition', () => {
    const text =
      'service A {\n  rpc B(C) returns (D) {\n    option x = 1;\n  }\n}\n\nmessage C {}\nmessage D {\n}\n';
    const { names, lines } = outline(text, protobuf);
    expect(
      names.map(({ name, start, end }) => [name, lines.lineAt(start), lines.lineAt(end - 1)]),
    ).toEqual([
      ['A', 0, 4],
      ['B', 1, 3],
      ['C', 6, 6],
      ['D', 7, 8],
    ]);
  });

  it('takes nothing from comments and descriptions', () => {
    expect(outline('/*\nmessage A {}\n*/\n// message B {}\n', protobuf).names).toEqual([]);
    expect(outline('option (a) = { get: "/v1/*" };\nmessage A {}\n', protobuf).names).toHaveLength(
      1,
    );
    expect(outline('"""\ntype of thing: any\n"""\n# type C {\n', graphql).names).toEqual([]);
  });

  it('keeps a description with its type when the chunk before is full', () => {
    const type = (name: string) =>
      `"""\nSays ${name}.\n"""\ntype ${name} {\n${'  field: String\n'.repeat(60)}}\n`;
    const { cut } = outline(`${type('A')}\n${type('B')}`, graphql);
    expect(cut.map((text) => text.split('\n')[1])).toEqual(['Says A.', 'Says B.']);
  });

  it('is read in time that grows with the file', () => {
    for (const text of [
      '"""\n'.repeat(50_001),
      '/* '.repeat(100_000),
      `${' '.repeat(200_000)}message`,
      '{\n'.repeat(100_000),
      `message ${'"\\'.repeat(100_000)}`,
      `message "${'\\"'.repeat(100_000)}`,
    ]) {
      for (const language of [protobuf, graphql]) {
        expect(threadMilliseconds(() => outline(text, language))).toBeLessThan(2_000);
      }
    }
  });
});
