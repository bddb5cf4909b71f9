import { describe, expect, it } from '@jest/globals';

import { silentLogger, sleep } from '#platform';
import type { ContentGapView } from '#read-model';

import type { ApiReadModel } from '../engines/engines.js';
import { ContentGaps } from './content-gaps.js';

const GAP: ContentGapView = {
  tenant_id: 't',
  source_id: 's',
  generation: 1,
  searchable: false,
  message: 'gone',
};

describe('what content is missing', () => {
  it('is read a few times a second, however often the index moves on, and once more after the last move', async () => {
    let readings = 0;
    let rows: readonly ContentGapView[] = [];
    let moved = (): void => undefined;
    const readModel = {
      asOf: () => {
        readings += 1;
        return Promise.resolve({ rows, position: null });
      },
      onProgress: (_: string, listener: () => void) => {
        moved = listener;
        return () => undefined;
      },
    } as unknown as ApiReadModel;
    const gaps = new ContentGaps(readModel, silentLogger);
    gaps.onApplicationBootstrap();
    for (let move = 0; move < 100; move += 1) {
      moved();
      await sleep(5);
    }
    rows = [GAP];
    moved();
    await sleep(400);
    expect(gaps.isLost({ tenantId: 't', sourceId: 's', generation: 1 })).toBe(true);
    expect(readings).toBeGreaterThanOrEqual(2);
    expect(readings).toBeLessThanOrEqual(8);
    await gaps.onApplicationShutdown();
  });
});
