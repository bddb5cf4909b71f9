import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the system's Chromium, or of `CHROMIUM_PATH`; undefined where there is none. */
export const CHROMIUM_PATH = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find(
  (path) => path !== '' && existsSync(path),
);

/** Starts the Chromium at `path` without a window. */
export function startChromium(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, timeout: 60_000 });
}
