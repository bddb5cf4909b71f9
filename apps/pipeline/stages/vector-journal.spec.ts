import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { quantize } from '#retrieval';
import { tempDir } from '#test/support/temp-dir';

import { type JournalEntry, VectorJournal } from './vector-journal.js';

const MODEL = { id: 'model@16', dimensions: 16 };
const entry = (n: number): JournalEntry => ({
  input: Buffer.alloc(32, n),
  ...quantize(Float32Array.from({ length: 16 }, (_, at) => Math.sin(n + at))),
});

describe('the journal of vectors', () => {
  let folder: ReturnType<typeof tempDir>;
  let directory: string;
  beforeEach(() => {
    folder = tempDir();
    directory = join(folder.path, 'source');
  });
  afterEach(() => folder.remove());

  const open = () => new VectorJournal(directory, MODEL);
  const file = (): string => {
    const [model = ''] = readdirSync(directory);
    const [name = ''] = readdirSync(join(directory, model));
    return join(directory, model, name);
  };

  it('returns what every attempt has written', async () => {
    const first = open();
    expect(await first.read()).toEqual([]);
    await Promise.all([first.append([entry(1), entry(2)]), first.append([entry(3)])]);
    await open().append([entry(4)]);
    const inputs = (await open().read()).map(({ input }) => input[0]);
    expect(inputs.toSorted()).toEqual([1, 2, 3, 4]);
    expect((await open().read()).find(({ input }) => input[0] === 2)).toEqual(entry(2));
  });

  it('ends a file at a record that a crash left incomplete or damaged', async () => {
    await open().append([entry(1), entry(2), entry(3)]);
    appendFileSync(file(), Buffer.alloc(30, 7));
    expect(await open().read()).toHaveLength(3);
    const bytes = readFileSync(file());
    bytes[56 + 45] = (bytes[56 + 45] as number) ^ 1;
    writeFileSync(file(), bytes);
    expect(await open().read()).toEqual([entry(1)]);
    writeFileSync(file(), Buffer.alloc(560));
    expect(await open().read()).toEqual([]);
  });

  it('never gives vectors of another model or another width', async () => {
    await open().append([entry(1)]);
    expect(await new VectorJournal(directory, { ...MODEL, id: 'other@16' }).read()).toEqual([]);
    expect(await new VectorJournal(directory, { ...MODEL, dimensions: 32 }).read()).toEqual([]);
  });

  it('leaves nothing when it is removed', async () => {
    const journal = open();
    await journal.append([entry(1)]);
    await journal.remove();
    expect(readdirSync(folder.path)).toEqual([]);
    expect(await journal.read()).toEqual([]);
  });
});
