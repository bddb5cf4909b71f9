import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';

import { createClient } from '#client';
import { childEnvironment } from '#platform/config/client-home';

import { type ProgramOptions, serviceProgram } from './service-program.js';
import type { Session } from './session.js';

/** Longest wait until the service is ready: its first start installs and builds. */
const READY_WITHIN_MS = 15 * 60_000;
const POLL_MS = 250;

interface UpOptions extends ProgramOptions {
  readonly port: number;
  readonly name: string;
}

/**
 * Runs the service until it ends or the person interrupts it. Once it is ready, a context has its
 * address and key. An existing data folder keeps its keys: then the stored key must be one of them.
 */
export async function startService(session: Session, options: UpOptions): Promise<void> {
  const { port, name } = options;
  const { words, folder, dataDir } = await serviceProgram(session, options);
  const key = (await session.contexts.keyOf(name)) ?? newKey();
  const child = spawn(process.execPath, words, {
    // Data of the command go to stdout: the service has stderr.
    stdio: ['ignore', process.stderr, process.stderr],
    ...(folder !== undefined && { cwd: folder }),
    env: childEnvironment({
      PORT: String(port),
      BOOTSTRAP_API_KEY: key,
      ...(dataDir !== undefined && { DATA_DIR: dataDir }),
    }),
  });
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(7));
    child.once('exit', (code) => resolve(code ?? 0));
  });
  session.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const url = `http://localhost:${port}`;
  if (await isReady(url, ended)) await announce(session, { name, url, key });
  session.terminal.exitCode = await ended;
}

async function announce(
  session: Session,
  { name, url, key }: { readonly name: string; readonly url: string; readonly key: string },
): Promise<void> {
  const outcome = await createClient({ url, apiKey: key }).sources.list.attempt();
  if (!outcome.ok) {
    session.terminal.note(`The data folder has other keys; run footnote login ${url}`);
    return;
  }
  await session.contexts.save(name, url, key);
  session.terminal.note(`Footnote is ready at ${url}; context ${name} has its key`);
  if (session.terminal.mode === 'json') session.terminal.object({ url, context: name });
}

/** Resolves with true when the service is ready, with false when it ended before. */
async function isReady(url: string, ended: Promise<number>): Promise<boolean> {
  const client = createClient({ url, apiKey: 'none', retries: 0, timeoutMs: 5_000 });
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!over && Date.now() < deadline) {
    const ready = await client.health.ready().catch(() => null);
    if (ready?.status === 'ready') return true;
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, POLL_MS))]);
  }
  return false;
}

function newKey(): string {
  return `fnt_${randomBytes(20).toString('hex')}`;
}
