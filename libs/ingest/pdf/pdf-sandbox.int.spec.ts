import { mkdirSync, writeFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

import { confinementHere, runPdfChild } from './pdf-sandbox.js';

const LIMITS = { maxPages: 1, maxSeconds: 20, maxMemory: 512 * 1024 * 1024 };

/** A program in place of the one that reads PDFs, as an attacker who takes it over could run it. */
describe('the process of one PDF', () => {
  const folder = tempDir();
  const secret = `${folder.path}/secret`;
  const program = `${folder.path}/program/child.mjs`;
  beforeAll(() => {
    mkdirSync(`${folder.path}/program`);
    writeFileSync(secret, 'secret');
  });
  afterAll(() => folder.remove());

  async function said(code: string, limits = LIMITS, maxOutput = 10_000): Promise<string> {
    writeFileSync(program, code);
    const signal = AbortSignal.timeout(30_000);
    const outcome = await runPdfChild(Buffer.from('input'), {}, limits, {
      maxOutput,
      signal,
      program,
    });
    return 'ended' in outcome ? `ended: ${outcome.ended}` : outcome.output.toString();
  }
  const attempt = (expression: string) => `
    const say = (text) => process.stdout.write(text, () => process.exit(0));
    try { await (${expression}); say('done'); } catch (error) { say(error.code ?? error.message); }`;

  it('is given its input and nothing of the environment', async () => {
    const code = `let text = ''; for await (const piece of process.stdin) text += piece;
      process.stdout.write(JSON.stringify([text, Object.keys(process.env), process.cwd()]));`;
    expect(JSON.parse(await said(code))).toEqual(['input', [], '/']);
  });

  it.each([
    [
      'read a file',
      `import('node:fs/promises').then(({ readFile }) => readFile(${JSON.stringify(secret)}))`,
    ],
    [
      'read the service’s own files',
      `import('node:fs/promises').then(({ readFile }) => readFile('/etc/passwd'))`,
    ],
    [
      'write a file',
      `import('node:fs/promises').then(({ writeFile }) => writeFile('/tmp/x', 'x'))`,
    ],
    [
      'start a process',
      `import('node:child_process').then(({ execFileSync }) => execFileSync('/bin/true'))`,
    ],
    [
      'start a thread',
      `import('node:worker_threads').then(({ Worker }) => new Worker('1', { eval: true }))`,
    ],
  ])('cannot %s', async (_, expression) => {
    expect(await said(attempt(expression))).toBe('ERR_ACCESS_DENIED');
  });

  it('cannot reach the network where that can be taken away', async () => {
    const { withoutNetwork } = await confinementHere();
    const code = attempt(`import('node:os').then(({ networkInterfaces }) => {
      throw new Error(String(Object.values(networkInterfaces()).flat().length));
    })`);
    const interfaces = Number(await said(code));
    if (withoutNetwork.length > 0) expect(interfaces).toBe(0);
    else expect(interfaces).toBeGreaterThanOrEqual(0);
  });

  it.each([
    [
      'says too much',
      `for (;;) process.stdout.write('x'.repeat(65536)) || (await new Promise((r) => process.stdout.once('drain', r)));`,
      'output',
    ],
    ['never ends', 'for (;;);', 'time'],
    ['waits for ever', 'setInterval(() => undefined, 1000);', 'time'],
    [
      'fills its heap',
      `const all = []; for (;;) all.push({ at: all.length, text: String(Math.random()) });`,
      'memory',
    ],
    [
      'takes bytes outside of its heap',
      `const all = []; for (;;) all.push(Buffer.alloc(8e6, 1));`,
      'memory',
    ],
    ['fails', `throw new Error('no');`, 'crash'],
  ])('is ended when it %s', async (_, code, why) => {
    const limits =
      why === 'time' ? { ...LIMITS, maxSeconds: 1 } : { ...LIMITS, maxMemory: 128 * 1024 * 1024 };
    expect(await said(code, limits)).toBe(`ended: ${why}`);
  });
});
