import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  encodeStrings,
  inUtf8Order,
  type StringTable,
  stringTable,
} from '../../pack/sorted-tables.js';
import { StringDirectory } from './string-directory.js';

function tableOf(strings: readonly string[]): StringTable {
  const { offsets, bytes } = encodeStrings(inUtf8Order([...new Set(strings)]));
  return stringTable(offsets, bytes);
}

/** Returns the slots and indexes that a directory finds, by slot. */
function found(directory: StringDirectory, text: string): readonly (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  const visited = directory.visit(text, (slot, index) => places.push([slot, index]));
  expect(visited).toBe(places.length);
  return places.sort(([a], [b]) => a - b);
}

describe('a directory of strings', () => {
  it('finds the same as a lookup in every pack, after any additions and removals', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 3 });
    const step = fc.record({ slot: fc.nat(6), strings: fc.array(text, { maxLength: 40 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const directory = new StringDirectory();
        const packs = new Map<number, StringTable>();
        for (const { slot, strings } of steps) {
          // A slot that is taken is emptied.
          if (packs.delete(slot)) directory.remove(slot);
          else {
            packs.set(slot, tableOf(strings));
            directory.add(slot, packs.get(slot) as StringTable);
          }
        }
        for (const wanted of new Set(steps.flatMap(({ strings }) => strings))) {
          const expected = [...packs]
            .map(([slot, table]) => [slot, table.find(wanted)] as const)
            .filter(([, index]) => index !== -1)
            .sort(([a], [b]) => a - b);
          expect(found(directory, wanted)).toEqual(expected);
        }
      }),
    );
  });

  it('keeps its chains while its tables grow and strings are replaced many times', () => {
    const directory = new StringDirectory();
    const tables = Array.from({ length: 8 }, (_, slot) =>
      tableOf(
        Array.from({ length: 3_000 }, (__, at) => `w${slot % 2 === 0 ? at : slot * 3_000 + at}`),
      ),
    );
    tables.forEach((table, slot) => directory.add(slot, table));
    for (let round = 0; round < 5; round += 1) {
      for (const slot of [1, 3, 5, 7]) directory.remove(slot);
      expect(found(directory, 'w3001')).toEqual([]);
      for (const slot of [7, 5, 3, 1]) directory.add(slot, tables[slot] as StringTable);
    }
    expect(found(directory, 'w2999').map(([slot]) => slot)).toEqual([0, 2, 4, 6]);
    expect(found(directory, 'w3001')).toEqual([[1, tables[1]?.find('w3001')]]);
    expect(found(directory, 'w')).toEqual([]);
  });

  it('does nothing for the removal of an unused slot', () => {
    const directory = new StringDirectory();
    directory.add(0, tableOf(['a']));
    directory.remove(1);
    expect(found(directory, 'a')).toEqual([[0, 0]]);
  });
});
