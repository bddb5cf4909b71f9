import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import type { IndexLayout } from './index-layout.js';
import { engineUnavailable, type SearchServer, type ServerRequest } from './server.js';
import { SourceRecords } from './source-records.js';

const A = { tenantId: 't', sourceId: 'a', generation: 1 };
const B = { tenantId: 't', sourceId: 'b', generation: 1 };
const UNAVAILABLE = { code: 'engine_unavailable' };

describe('records of sources', () => {
  const entry = {
    generation: 1,
    chunks: 3,
    total_length: 9,
    fingerprint: 'f',
    embedder: { id: 'm', dimensions: 16 },
  };
  const layout = {
    records: 'records',
    currentId: async () => 'i',
    readId: async () => 'i',
  } as unknown as IndexLayout;

  /** Answers every id with a record of generation 1, after a delay. */
  const serverOf = (milliseconds: number, asked: string[][] = []) => {
    const answer = async ({ body }: ServerRequest) => {
      const { ids } = body as { ids: string[] };
      asked.push(ids);
      await delay(milliseconds);
      return {
        status: 200,
        body: { docs: ids.map(() => ({ _source: { index_id: 'i', generations: [entry] } })) },
      };
    };
    return { request: answer } as unknown as SearchServer;
  };

  it('are read once while they are trusted', async () => {
    const asked: string[][] = [];
    const records = new SourceRecords(serverOf(0, asked), layout, 60_000);
    expect(await records.loaded([A, B, A])).toEqual([entry, entry, entry]);
    expect(await records.loaded([B])).toEqual([entry]);
    expect(asked.map((ids) => ids.length)).toEqual([2]);
  });

  it('that were trusted when a search began are not missing if others took long to read', async () => {
    const records = new SourceRecords(serverOf(80), layout, 40);
    await records.loaded([A]);
    expect(await records.loaded([A, B])).toEqual([entry, entry]);
  });

  it('that lack a generation are read again, and then rejected', async () => {
    const asked: string[][] = [];
    const records = new SourceRecords(serverOf(0, asked), layout, 60_000);
    await records.loaded([A]);
    await expect(records.loaded([{ ...A, generation: 2 }])).rejects.toMatchObject(UNAVAILABLE);
    expect(asked).toHaveLength(2);
  });

  describe('of earlier searches', () => {
    const changing = (changes: readonly number[], asked: string[][] = []) => {
      const answer = async ({ body }: ServerRequest) => {
        const { ids } = body as { ids: string[] };
        const change = changes[asked.push(ids) - 1];
        if (change === undefined) throw engineUnavailable();
        const record = { index_id: 'i', change, generations: [entry] };
        return { status: 200, body: { docs: ids.map(() => ({ _source: record })) } };
      };
      return { request: answer } as unknown as SearchServer;
    };

    it('are used at once, and read again if they are not trusted', async () => {
      const asked: string[][] = [];
      let now = 0;
      const records = new SourceRecords(changing([1, 1, 2], asked), layout, 1_000, () => now);
      expect(await (await records.assumed([A])).areCurrent).toBe(true);
      expect(await (await records.assumed([A])).areCurrent).toBe(true);
      expect(asked).toHaveLength(1);
      now = 1_000;
      const same = await records.assumed([A]);
      expect([same.entries, await same.areCurrent]).toEqual([[entry], true]);
      now = 2_000;
      const changed = await records.assumed([A]);
      expect([changed.entries, await changed.areCurrent]).toEqual([[entry], false]);
      now = 3_000;
      const unknown = await records.assumed([A]);
      expect(unknown.entries).toEqual([entry]);
      await expect(unknown.areCurrent).rejects.toMatchObject(UNAVAILABLE);
      expect(asked).toHaveLength(4);
    });

    it('are read first if they lack a generation, and rejected if it is missing', async () => {
      const records = new SourceRecords(changing([1, 1, 1]), layout, 1_000);
      await records.assumed([A]);
      await expect(records.assumed([{ ...A, generation: 2 }])).rejects.toMatchObject(UNAVAILABLE);
    });
  });
});
