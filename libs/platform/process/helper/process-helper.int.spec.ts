import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  type ProcessOptions,
  type StartedProcess,
  startHere,
  type StartProcess,
} from '../started-process.js';
import { ProcessHelper } from './process-helper.js';

const ENV: ProcessOptions = { env: { PATH: '/usr/bin:/bin' } };

/** Runs until it is killed, without output. */
const FOR_EVER = ['-c', 'sleep 1000 & echo $! $$; wait'];

async function isGone(pid: number): Promise<boolean> {
  for (let look = 0; look < 100; look += 1) {
    // A zombie that nobody has waited for has ended too.
    const state = stateOf(pid);
    if (state === null || state === 'Z') return true;
    await delay(50);
  }
  return false;
}

function stateOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? null;
  } catch {
    return null;
  }
}

async function firstLine({ stdout }: StartedProcess): Promise<readonly number[]> {
  const lines = createInterface({ input: stdout });
  const [line] = (await once(lines, 'line')) as [string];
  return line.split(' ').map(Number);
}

describe('processes', () => {
  const warnings: string[] = [];
  let helper: ProcessHelper;

  beforeAll(() => {
    helper = new ProcessHelper({ warn: (_, message) => void warnings.push(String(message)) });
  });

  afterAll(() => helper.close());

  const starters: readonly (readonly [string, () => StartProcess])[] = [
    ['started here', () => startHere],
    ['started by the helper', () => helper.start],
  ];

  describe.each(starters)('%s', (_, starter) => {
    const start: StartProcess = (...words) => starter()(...words);

    it('read, write and end', async () => {
      const child = start('sh', ['-c', 'cat; echo trouble >&2; exit 3'], ENV);
      child.stdin.end('given');
      const [output, trouble, end] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        child.ended,
      ]);
      expect({ output, trouble, end }).toEqual({
        output: 'given',
        trouble: 'trouble\n',
        end: { code: 3, signal: null },
      });
    });

    it('pass on many bytes in order, both ways', async () => {
      const bytes = Buffer.alloc(5_000_000, 'a line of text that is not a power of two\n');
      const child = start('cat', [], ENV);
      child.stdin.end(bytes);
      expect((await buffer(child.stdout)).equals(bytes)).toBe(true);
      expect(await child.ended).toEqual({ code: 0, signal: null });
    });

    it('have only the given environment and folder', async () => {
      const child = start('/usr/bin/env', [], { cwd: '/usr', env: { GIVEN: 'yes' } });
      expect(await text(child.stdout)).toBe('GIVEN=yes\n');
      const where = start('pwd', [], { ...ENV, cwd: '/usr' });
      expect(await text(where.stdout)).toBe('/usr\n');
    });

    it('that do not exist are reported by ENOENT', async () => {
      await expect(start('no-such-program', [], ENV).ended).rejects.toMatchObject({
        code: 'ENOENT',
      });
    });

    it('are killed with their children', async () => {
      const child = start('sh', FOR_EVER, ENV);
      const pids = await firstLine(child);
      child.kill();
      expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
      expect(await Promise.all(pids.map(isGone))).toEqual([true, true]);
      child.kill();
    });

    it('wait while nobody reads their output, and continue when it is read', async () => {
      const child = start('sh', ['-c', 'head -c 20000000 /dev/zero; echo done >&2'], ENV);
      const done = text(child.stderr);
      await delay(300);
      expect(child.stdout.readableLength).toBeLessThan(2_000_000);
      expect(await Promise.race([done, delay(100, 'waits')])).toBe('waits');
      expect((await buffer(child.stdout)).length).toBe(20_000_000);
      expect(await done).toBe('done\n');
    });

    it('end although nobody reads their output', async () => {
      const child = start('sh', ['-c', 'echo unread'], ENV);
      expect(await child.ended).toEqual({ code: 0, signal: null });
    });
  });

  it('pass on error output in order, however small its pieces are', async () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `${at}`);
    const program = `for (const word of ${JSON.stringify(words)}) process.stderr.write(word + ' ')`;
    const child = helper.start(process.execPath, ['-e', program], ENV);
    expect((await text(child.stderr)).trim().split(' ')).toEqual(words);
    const slow = helper.start('sh', ['-c', 'printf now >&2; exec sleep 1000'], ENV);
    const [first] = (await once(slow.stderr, 'data')) as [Buffer];
    expect(first.toString()).toBe('now');
    slow.kill();
    await slow.ended;
  });

  it('end by the helper although their output was discarded', async () => {
    const child = helper.start('sh', ['-c', 'head -c 20000000 /dev/zero'], ENV);
    await once(child.stdout, 'readable');
    child.stdout.destroy();
    child.kill();
    expect(await child.ended).toMatchObject({ code: null });
  });

  it('show their parameters to nobody who looks at the helper', async () => {
    const child = helper.start('sh', FOR_EVER, { env: { ...ENV.env, TOKEN: 'very-secret' } });
    await firstLine(child);
    const of = (file: string) => readFileSync(`/proc/${helper.pid ?? 0}/${file}`, 'utf8');
    expect(of('cmdline') + of('environ')).not.toContain('very-secret');
    child.kill();
    await child.ended;
  });

  it('survive signals that are sent to the whole group of the helper', async () => {
    const child = helper.start('cat', [], ENV);
    const before = helper.pid ?? 0;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(before, signal);
    child.stdin.end('still here');
    expect(await text(child.stdout)).toBe('still here');
    expect(helper.pid).toBe(before);
  });

  it('are killed and lost when the helper is killed, and another helper starts further ones', async () => {
    const child = helper.start('sh', FOR_EVER, ENV);
    const pids = await firstLine(child);
    const before = helper.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await expect(child.ended).rejects.toMatchObject({ name: 'ProcessLostError' });
    expect(await Promise.all(pids.map(isGone))).toEqual([true, true]);
    expect(warnings).toHaveLength(1);
    const next = helper.start('sh', ['-c', 'echo again'], ENV);
    expect(await text(next.stdout)).toBe('again\n');
    expect(helper.pid).not.toBe(before);
  });

  it('end with the service, even if it is killed', async () => {
    const module = fileURLToPath(new URL('./process-helper.js', import.meta.url));
    const program = `
      const { ProcessHelper } = await import(${JSON.stringify(module)});
      const helper = new ProcessHelper({ warn() {} });
      const child = helper.start('sh', ${JSON.stringify(FOR_EVER)}, { env: { PATH: '/usr/bin:/bin' } });
      child.stdout.on('data', (data) => console.log(helper.pid + ' ' + data.toString().trim()));`;
    const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
    const pids = line.split(' ').map(Number);
    service.kill('SIGKILL');
    expect(pids).toHaveLength(3);
    expect(await Promise.all(pids.map(isGone))).toEqual([true, true, true]);
  });

  it('keep no process alive once they have ended', async () => {
    const module = fileURLToPath(new URL('./process-helper.js', import.meta.url));
    const program = `
      const { ProcessHelper } = await import(${JSON.stringify(module)});
      await new ProcessHelper({ warn() {} }).start('true', [], { env: { PATH: '/usr/bin:/bin' } }).ended;`;
    const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: 'ignore',
    });
    expect(await once(service, 'close', { signal: AbortSignal.timeout(20_000) })).toEqual([
      0,
      null,
    ]);
  });

  it('are lost if they are requested after the helper was closed', async () => {
    const closed = new ProcessHelper({ warn: () => undefined });
    closed.close();
    await expect(closed.start('true', [], ENV).ended).rejects.toMatchObject({
      name: 'ProcessLostError',
    });
  });
});
