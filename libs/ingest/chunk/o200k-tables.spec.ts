import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { readO200kFile } from './o200k-file.js';
import { O200K_TABLES, o200kTables } from './o200k-tables.js';
import { decodeTables, encodeTables } from './tables-file.js';
import { buildTables } from './vocabulary-tables.js';

const built = buildTables(readO200kFile());
const file = () => new Uint8Array(encodeTables(built));

describe('the tables of o200k in a file', () => {
  it('are read as they were built', () => {
    for (const read of [decodeTables(file()), o200kTables()])
      expect(read && Buffer.from(encodeTables(read)).equals(file())).toBe(true);
  });

  it('are those of the installed tokenizer', () => {
    // Only a whole build writes the file.
    if (existsSync(O200K_TABLES)) {
      expect(readFileSync(O200K_TABLES).equals(file())).toBe(true);
    }
  });

  it.each([
    ['a changed byte', (bytes: Uint8Array) => bytes.with(1_000_000, 1 + (bytes[1_000_000] ?? 0))],
    ['a missing end', (bytes: Uint8Array) => bytes.slice(0, -1)],
    ['a header alone', (bytes: Uint8Array) => bytes.slice(0, 16)],
    ['another file', (bytes: Uint8Array) => bytes.with(0, 0)],
    ['no bytes', () => new Uint8Array()],
  ])('are rejected with %s', (_, damage) => {
    expect(decodeTables(damage(file()))).toBeUndefined();
  });
});
