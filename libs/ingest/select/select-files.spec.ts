import { describe, expect, it } from '@jest/globals';

import { TimeSlices } from '#platform';

import { selectFiles } from './select-files.js';

describe('selecting files', () => {
  const files = Array.from({ length: 20_000 }, (_, index) => ({
    path: `src/${index}.${index % 2 ? 'ts' : 'png'}`,
    size: 1,
  }));

  it('keeps their order and counts what it leaves out, and lets other work run in between', async () => {
    let turns = 0;
    let running = true;
    const turn = (): void => {
      turns += 1;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    let time = 0;
    const { selected, skipped } = await selectFiles(files, {
      include: [],
      exclude: ['src/1.ts'],
      maxFileBytes: 10,
      slices: new TimeSlices(1_000, () => (time += 1)),
    });
    running = false;
    expect(turns).toBeGreaterThanOrEqual(15);
    expect(selected.map(({ file }) => file.path)).toEqual(
      files.map(({ path }) => path).filter((path) => path.endsWith('.ts') && path !== 'src/1.ts'),
    );
    expect(skipped).toEqual({
      files_skipped: 10_000,
      files_skipped_binary: 10_000,
      files_not_selected: 1,
    });
  });
});
