import { beforeEach, describe, expect, it } from '@jest/globals';

import type { Position } from '#contracts';
import type { JobView } from '#contracts/http/index';
import type { EventStore } from '#event-store';

import type { LiveSources } from '../sources/live-sources.js';
import type { Projected } from '../write/projected.js';
import { JobVisibility } from './job-visibility.js';

const END = '42' as Position;
const NOW = new Date('2026-05-01T12:00:00Z');

describe('the end of a job', () => {
  /** Pending waits by name, with their callbacks. */
  let waits: Map<string, (reached: boolean) => void>;
  let reads: number;
  let ends: JobVisibility;

  beforeEach(() => {
    waits = new Map();
    reads = 0;
    const wait = (name: string, position: Position): Promise<boolean> => {
      expect(position).toBe(END);
      return new Promise((resolve) => waits.set(name, resolve));
    };
    const store = {
      async *read(stream: string, options: object) {
        reads += 1;
        expect([stream, options]).toEqual(['job-j', { backwards: true, limit: 1 }]);
        yield await Promise.resolve({ position: END });
      },
    };
    const projected = { reached: wait };
    const liveSources = { projection: { waitFor: (position: Position) => wait('live', position) } };
    ends = new JobVisibility(
      store as unknown as EventStore,
      { now: () => NOW, monotonic: () => 0 },
      projected as unknown as Projected,
      liveSources as unknown as LiveSources,
    );
  });

  const job = (status: JobView['status'], secondsAgo: number | null = 1): JobView =>
    ({
      id: 'j',
      status,
      completed_at:
        secondsAgo === null ? null : new Date(NOW.getTime() - secondsAgo * 1_000).toISOString(),
    }) as JobView;

  /** Starts to show a job. @returns whether it has been shown by now. */
  async function showing(shown: JobView): Promise<() => Promise<boolean>> {
    let done = false;
    void ends.show([shown]).then(() => (done = true));
    const settled = async (): Promise<boolean> => {
      await new Promise((resolve) => setImmediate(resolve));
      return done;
    };
    await settled();
    return settled;
  }

  it('is reported when source, history and content show it', async () => {
    const isShown = await showing(job('completed'));
    expect([...waits.keys()].sort()).toEqual(['live', 'source_history', 'sources']);
    for (const [name, settle] of waits) {
      expect([name, await isShown()]).toEqual([name, false]);
      settle(true);
    }
    expect(await isShown()).toBe(true);
  });

  it('without content changes its source alone', async () => {
    const isShown = await showing(job('failed'));
    expect([...waits.keys()]).toEqual(['sources']);
    waits.get('sources')?.(true);
    expect(await isShown()).toBe(true);
  });

  it('is reported anyway when something does not show it in time, and waited for again', async () => {
    const isShown = await showing(job('cancelled'));
    waits.get('sources')?.(false);
    expect(await isShown()).toBe(true);
    await showing(job('cancelled'));
    expect(reads).toBe(2);
  });

  it('is looked up once, and not at all while the job runs or long after', async () => {
    const isShown = await showing(job('failed'));
    waits.get('sources')?.(true);
    expect(await isShown()).toBe(true);
    expect(await (await showing(job('failed')))()).toBe(true);
    expect(reads).toBe(1);
    await ends.show([{ ...job('running', null) }, { ...job('completed', 61), id: 'old' }]);
    expect(reads).toBe(1);
  });
});
