import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { StageKills } from '#test/support/stage-kills';
import { tempDir } from '#test/support/temp-dir';

const FILES = 250;

describe('kill -9 in a given stage of a sync that adds, changes and removes files, and start again', () => {
  const folder = tempDir('footnote-kills-');
  let kills: StageKills;
  beforeAll(async () => {
    kills = await StageKills.prepare(folder.path, FILES);
    const { counters, sound, status } = kills.undisturbed;
    expect({ sound, status }).toEqual({ sound: true, status: 'completed' });
    expect(Object.values(counters).every((count) => count > 0)).toBe(true);
  }, 120_000);
  afterAll(() => folder.remove());

  /** All of them: `npm run bench -- stage-kills`. */
  it.each([
    ['chunk', 'middle'],
    ['finalize', 'start'],
  ] as const)(
    'leaves the same index as without: %s, %s',
    async (stage, moment) => {
      const { outcome } = await kills.killed(stage, moment);
      expect(outcome).toEqual(kills.undisturbed);
    },
    120_000,
  );
});
