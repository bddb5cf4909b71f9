import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

describe('heap settings', () => {
  it('are settings that this version of V8 has', async () => {
    const module = new URL('./heap-settings.js', import.meta.url).href;
    const script = `import { useHeapSettings } from '${module}'; useHeapSettings();`;
    const started = run(process.execPath, ['--input-type=module', '--eval', script]);
    // V8 reports an unknown setting as text on standard error and goes on.
    await expect(started).resolves.toEqual({ stdout: '', stderr: '' });
  });
});
