import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { byBaselineCompiler } from './baseline-compiler.js';

const STATEMENTS = fileURLToPath(new URL('../../../test/support/read-model-statements.process.js', import.meta.url));

describe('compiling PGlite by the baseline compiler', () => {
  it('keeps the process that runs its statements below 450 MiB, where optimising would take more than 700', async () => {
    const folder = tempDir();
    const { stdout } = await promisify(execFile)(process.execPath, [STATEMENTS, `${folder.path}/read-model`], {
      timeout: 60_000,
    });
    expect(Number(stdout)).toBeGreaterThan(50 * 1_024);
    expect(Number(stdout)).toBeLessThan(450 * 1_024);
    folder.remove();
  });

  it('hands on what the work returns or throws', async () => {
    await expect(byBaselineCompiler(() => Promise.resolve(7))).resolves.toBe(7);
    await expect(byBaselineCompiler(() => Promise.reject(new Error('does not open')))).rejects.toThrow('does not open');
  });
});
