import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RoverResult } from '#contracts';
import { type RoverCommand, roverPlaces } from '#domain';
import { FsKeyRing, openParts } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { ResultWriter, type ResultWriterDependencies } from './result-writer.js';

const TENANT = 'tenant';
const JOB = 'job';
const PLACE = { kind: 'write', round: 1, ordinal: 0 } as const;
const KILLED = new Error('The process was killed');

/** The parts of a job, which outlive its workers. */
interface Stored {
  /** Sealed parts of the tokens, in order. */
  readonly tokens: string[];
  readonly appends: { readonly name: string; readonly parts: readonly number[] }[];
  isCompleted: boolean;
}

describe('the writing of a result', () => {
  const folder = tempDir();
  let keyRing: FsKeyRing;

  beforeAll(async () => {
    keyRing = await FsKeyRing.open(folder.path, undefined);
  });
  afterAll(() => folder.remove());

  /** Writes an answer in one worker. @returns the pauses, milliseconds. */
  async function work(answer: string, stored: Stored, pausesLeft = Infinity): Promise<number[]> {
    const pauses: number[] = [];
    const lease = {
      job: { rover_job_id: JOB, token_parts: stored.tokens.length },
      writeDerived: (name: string, ...commands: RoverCommand[]) => {
        const tokens = commands.flatMap((each) =>
          each.type === 'WriteRoverTokens' ? [each.data] : [],
        );
        stored.appends.push({ name, parts: tokens.map(({ part }) => part) });
        stored.tokens.push(...tokens.map(({ sealed }) => sealed));
        return Promise.resolve();
      },
      write: () => {
        stored.isCompleted = true;
        return Promise.resolve();
      },
    };
    const writer = new ResultWriter({
      lease,
      steps: {
        start: () => Promise.resolve({ stepId: 'step', attempt: 1 }),
        now: () => '2026-05-01T12:00:00.000Z',
      },
      outputs: { put: () => Promise.resolve({ sealed: [] }) },
      keyRing,
      tenantId: TENANT,
      signal: new AbortController().signal,
      pause: (milliseconds: number) => {
        if (pauses.length === pausesLeft) return Promise.reject(KILLED);
        return Promise.resolve(pauses.push(milliseconds));
      },
    } as unknown as ResultWriterDependencies);
    await writer.write({
      place: PLACE,
      result: { answer, citations: [] } as unknown as RoverResult,
    });
    return pauses;
  }
  const nothing = (): Stored => ({ tokens: [], appends: [], isCompleted: false });
  const textOf = async ({ tokens }: Stored) => {
    const opened = tokens.map((sealed, part) =>
      openParts(keyRing, { tenantId: TENANT, boundTo: roverPlaces.token(JOB, part) }, [sealed]),
    );
    return (await Promise.all(opened)).join('');
  };

  it('stores a short answer in one part, without a pause', async () => {
    const stored = nothing();
    expect(await work('Eight retries.', stored)).toEqual([]);
    expect(stored.appends).toEqual([{ name: 'tokens 0', parts: [0] }]);
    expect(await textOf(stored)).toBe('Eight retries.');
  });

  it('stores at most two parts in a second, cut between characters', async () => {
    const answer = '🔍é'.repeat(4_000);
    const stored = nothing();
    expect(await work(answer, stored)).toEqual([1_000, 1_000]);
    expect(stored.appends.map(({ parts }) => parts)).toEqual([[0, 1], [2, 3], [4]]);
    expect(Math.max(...stored.tokens.map((sealed) => sealed.length))).toBeLessThanOrEqual(8_000);
    expect(await textOf(stored)).toBe(answer);
    expect(stored.isCompleted).toBe(true);
  });

  it('repeats no part after a kill between two appends', async () => {
    const answer = 'x'.repeat(5_500 * 4 + 1);
    const stored = nothing();
    await expect(work(answer, stored, 1)).rejects.toBe(KILLED);
    expect(stored.isCompleted).toBe(false);
    expect(await work(answer, stored)).toEqual([]);
    expect(stored.appends).toEqual([
      { name: 'tokens 0', parts: [0, 1] },
      { name: 'tokens 2', parts: [2, 3] },
      { name: 'tokens 4', parts: [4] },
    ]);
    expect(await textOf(stored)).toBe(answer);
    expect(stored.isCompleted).toBe(true);
  });
});
