import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { WEB_UI_FOLDER } from '#apps/api/web-ui/serve-web-ui';

const KILOBYTE = 1_000;

/** Returns the bytes of all assets with this ending, as browsers load them. */
function loadedBytes(ending: string): number {
  const folder = join(WEB_UI_FOLDER, 'assets');
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  expect(names).not.toEqual([]);
  return names
    .map((name) => join(folder, name))
    .map((path) => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size)
    .reduce((sum, size) => sum + size, 0);
}

describe('the size of the built page', () => {
  it('has at most 60 kB of scripts and 15 kB of styles with brotli', () => {
    expect(loadedBytes('.js')).toBeLessThanOrEqual(60 * KILOBYTE);
    expect(loadedBytes('.css')).toBeLessThanOrEqual(15 * KILOBYTE);
  });
});
