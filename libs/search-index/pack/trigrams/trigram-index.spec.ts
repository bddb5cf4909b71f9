import { describe, expect, it } from '@jest/globals';

import { foldText, type RequiredText } from '#contracts/content/required-text';

import type { PackedChunk } from '../invert-chunks.js';
import { packTrigrams } from './pack-trigrams.js';
import { hasBit } from './posting-list.js';
import { TrigramIndex } from './trigram-index.js';

/** Packs documents, each given by the texts of its chunks. */
function indexOf(documents: readonly (readonly string[])[], damage?: number) {
  const packed = documents.flatMap((texts, document) =>
    texts.map((text, index) => ({
      part: { textOf: (at: number) => Buffer.from(texts[at] as string) },
      index,
      chunk: { path: `document ${document}`, ordinal: index, text },
    })),
  ) as unknown as PackedChunk[];
  const { table, data } = packTrigrams(packed);
  const bytes = Buffer.from(data);
  if (damage !== undefined) bytes[damage] = (bytes[damage] as number) ^ 1;
  const read = (target: Uint8Array, offset: number) =>
    target.set(bytes.subarray(offset, offset + target.length));
  return { index: new TrigramIndex(table, read, documents.length), data, table };
}

const text = (of: string): RequiredText => ({ kind: 'text', text: foldText(of) });

function found(index: TrigramIndex, required: RequiredText, documents: number): number[] | 'all' {
  const bits = index.matching(required);
  if (!bits) return 'all';
  return Array.from({ length: documents }, (_, at) => at).filter((at) => hasBit(bits, at));
}

/** Texts of few letters, so that most parts of one occur in others too. */
function madeTexts(count: number): string[] {
  let state = 7;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const letters = ['a', 'B', 'c', 'é', 'Σ', '数', '\u{1f600}', '\n'];
  return Array.from({ length: count }, () =>
    Array.from({ length: 4 + next(12) }, () => letters[next(letters.length)]).join(''),
  );
}

describe('TrigramIndex', () => {
  const documents = [['Cart total'], ['cart', ' TOTAL'], ['car\nt total'], ['art to'], ['']];
  const { index } = indexOf(documents);

  it.each([
    ['a text without regard to case', text('CART'), [0, 1]],
    ['a text over the end of a chunk', text('rt tot'), [0, 1]],
    ['a text that no document has', text('basket'), []],
    ['all of several texts', { kind: 'and', parts: [text('total'), text('car')] }, [0, 1, 2]],
    ['one of several texts', { kind: 'or', parts: [text('basket'), text('art to')] }, [0, 1, 3]],
    ['every document for two characters', text('ca'), 'all'],
    ['every document for an open part', { kind: 'or', parts: [text('cart'), text('x')] }, 'all'],
  ] as const)('finds documents that may have %s', (_, required, expected) => {
    expect(found(index, required, documents.length)).toEqual(expected);
  });

  it('never excludes a document that has the text', () => {
    const texts = madeTexts(600);
    const many = indexOf(texts.map((each) => [each]));
    const folded = texts.map(foldText);
    for (const line of texts.slice(0, 60).flatMap((each) => each.split('\n'))) {
      const wanted = text(line.slice(0, 5));
      const having = folded.flatMap((each, at) =>
        each.includes(foldText(line.slice(0, 5))) ? [at] : [],
      );
      const all = found(many.index, wanted, texts.length);
      if (all !== 'all') expect(all).toEqual(expect.arrayContaining(having));
    }
    expect(indexOf(madeTexts(1_500).map((each) => [each])).table.length).toBeGreaterThan(4);
  });

  it('finds a document in long and short lists of documents', () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => [
      `common number${at} ${at % 2 ? 'odd' : ''}`,
    ]);
    const large = indexOf(texts);
    expect(found(large.index, text('number999'), 1_000)).toEqual([999]);
    expect(found(large.index, text('common'), 1_000)).toHaveLength(1_000);
    expect(found(large.index, text('odd'), 1_000)).toHaveLength(500);
  });

  it('excludes nothing for more than 64 texts', () => {
    const parts = (count: number) => Array.from({ length: count }, () => text('basket'));
    expect(found(index, { kind: 'or', parts: parts(64) }, 5)).toEqual([]);
    expect(found(index, { kind: 'or', parts: parts(65) }, 5)).toBe('all');
  });

  it('rejects a damaged block', () => {
    expect(() => indexOf(documents, 3).index.matching(text('cart'))).toThrow('is damaged');
  });

  it('has no blocks without documents', () => {
    expect(found(indexOf([]).index, text('cart'), 0)).toEqual([]);
  });
});
