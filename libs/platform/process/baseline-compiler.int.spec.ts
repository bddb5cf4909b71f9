import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { byBaselineCompiler } from './baseline-compiler.js';

const support = (name: string): string =>
  fileURLToPath(new URL(`../../../test/support/${name}.process.js`, import.meta.url));
const STATEMENTS = support('read-model-statements');
const CHUNKS = support('chunked-language');

describe('the baseline compiler of WebAssembly', () => {
  it('keeps the process that runs statements of PGlite below 450 MiB, where optimizing would take more than 700', async () => {
    const folder = tempDir();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [STATEMENTS, `${folder.path}/read-model`],
      {
        timeout: 60_000,
      },
    );
    expect(Number(stdout)).toBeGreaterThan(50 * 1_024);
    expect(Number(stdout)).toBeLessThan(450 * 1_024);
    folder.remove();
  });

  it('chunks a file of a grammar with a huge lexer below 450 MiB, where optimizing took three gigabytes', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [CHUNKS, 'Playlist.swift'], {
      timeout: 60_000,
    });
    expect(Number(stdout)).toBeGreaterThan(50 * 1_024);
    expect(Number(stdout)).toBeLessThan(450 * 1_024);
  });

  it('stays in use while another thread uses it for moments', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [CHUNKS, 'Playlist.swift', 'beside'],
      { timeout: 60_000 },
    );
    expect(Number(stdout)).toBeGreaterThan(50 * 1_024);
    expect(Number(stdout)).toBeLessThan(450 * 1_024);
  });

  it('returns what the work returns, and throws what it throws', async () => {
    expect(byBaselineCompiler(() => 7)).toBe(7);
    expect(() =>
      byBaselineCompiler(() => {
        throw new Error('cannot be read');
      }),
    ).toThrow('cannot be read');
    await expect(byBaselineCompiler(() => Promise.resolve(7))).resolves.toBe(7);
    await expect(
      byBaselineCompiler(() => Promise.reject(new Error('does not open'))),
    ).rejects.toThrow('does not open');
  });
});
