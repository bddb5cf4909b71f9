import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type FolderInUseError, isFolderInUse, lockDataDir } from '#platform';
import { PROJECT_ROOT } from '#test/support/project-root';
import { tempDir } from '#test/support/temp-dir';

describe('lockDataDir', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const readFormat = () =>
    JSON.parse(readFileSync(join(folder.path, 'format.json'), 'utf8')) as unknown;
  const writeFormat = (text: string) => writeFileSync(join(folder.path, 'format.json'), text);

  it('rejects a second opener in the same process, and admits it after the release', async () => {
    const first = await lockDataDir(folder.path);
    const error = await lockDataDir(folder.path).catch((caught: unknown) => caught);
    expect(isFolderInUse(error)).toBe(true);
    expect(String(error)).toContain(`process ${process.pid} on ${hostname()} since 20`);
    first.release();
    first.release();
    (await lockDataDir(folder.path)).release();
  });

  it('names the other process, and takes over as soon as that one is killed', async () => {
    const module = join(PROJECT_ROOT, 'dist/libs/platform/data-dir/lock-data-dir.js');
    const script = `const { lockDataDir } = await import(${JSON.stringify(module)});
      globalThis.lock = await lockDataDir(${JSON.stringify(folder.path)});
      console.log('locked'); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(other, 'exit');
    try {
      await once(other.stdout, 'data');
      const error = (await lockDataDir(folder.path).catch(
        (caught: unknown) => caught,
      )) as FolderInUseError;
      expect(isFolderInUse(error)).toBe(true);
      expect(error.owner).toMatchObject({ pid: other.pid, host: hostname() });
    } finally {
      other.kill('SIGKILL');
      await ended;
    }
    (await lockDataDir(folder.path)).release();
  });

  it('writes the current format into a new folder and keeps it', async () => {
    (await lockDataDir(folder.path)).release();
    expect(readFormat()).toEqual({ format: 1 });
    (await lockDataDir(folder.path)).release();
    expect(readFormat()).toEqual({ format: 1 });
  });

  it('upgrades an older format step by step, and continues after a crash', async () => {
    writeFormat('{"format":1}');
    const ran: number[] = [];
    let crash = true;
    const format = {
      current: 3,
      steps: {
        1: async () => void ran.push(1),
        2: async () => {
          ran.push(2);
          if (crash) throw new Error('power cut');
        },
      },
    };
    await expect(lockDataDir(folder.path, format)).rejects.toThrow('power cut');
    expect(readFormat()).toEqual({ format: 2 });
    crash = false;
    (await lockDataDir(folder.path, format)).release();
    expect([ran, readFormat()]).toEqual([[1, 2, 2], { format: 3 }]);
  });

  it.each([
    ['a newer format', '{"format":2}', /has format 2; this version knows up to 1/],
    ['a format file that says nothing', '{}', /cannot be read/],
    ['a broken format file', '{"for', /cannot be read/],
  ])('rejects %s and stays unlocked', async (_, text, message) => {
    writeFormat(text);
    await expect(lockDataDir(folder.path)).rejects.toThrow(message);
    writeFormat('{"format":1}');
    (await lockDataDir(folder.path)).release();
  });

  it('rejects a format without an upgrade', async () => {
    writeFormat('{"format":1}');
    await expect(lockDataDir(folder.path, { current: 2, steps: {} })).rejects.toThrow(
      /cannot upgrade/,
    );
  });
});
