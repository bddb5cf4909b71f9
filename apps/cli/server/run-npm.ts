import { spawn } from 'node:child_process';

import { childEnvironment } from '#platform/config/client-home';

import { ServerError } from './server-error.js';

/** Characters of npm's output that are kept: its errors are at the end. */
const KEPT_OUTPUT = 16_384;
const LONGEST_REPORT = 600;
const TIME_LIMIT_MS = 15 * 60_000;
/**
 * No script of a package runs, and no setting of a surrounding npm changes the place. Waits of npm
 * between its attempts are short, so that an unreachable registry is reported soon.
 */
const ALWAYS = [
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=10000',
  '--ignore-scripts',
  '--global=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];
const UNREACHABLE =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)$/;

/** The end of messages: ways without npm or a registry. */
export const OTHER_WAYS = 'name a tarball of the server by --server, or a checkout by --checkout';

/**
 * Runs npm without scripts of packages, to its end.
 * @param words command and options; no word needs quotes, because Windows starts npm by a shell.
 * @throws ServerError if npm is missing, fails or exceeds 15 minutes; the signal's reason when
 * aborted.
 */
export async function runNpm(
  words: readonly string[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const child = spawn('npm', [...words, ...ALWAYS], {
    cwd: folder,
    env: childEnvironment({}),
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
    signal: AbortSignal.any([signal, limit]),
  });
  let output = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (part: string) => (output = (output + part).slice(-KEPT_OUTPUT)));
  const end = await new Promise<number | NodeJS.ErrnoException>((resolve) => {
    let problem: NodeJS.ErrnoException | undefined;
    child.once('error', (error) => {
      problem = error;
      // A program that did not start has no other event.
      if (child.pid === undefined) resolve(error);
    });
    child.once('close', (code) => resolve(problem ?? code ?? 1));
  });
  signal.throwIfAborted();
  if (limit.aborted) throw new ServerError(`npm did not end within 15 minutes; ${OTHER_WAYS}`);
  if (end !== 0) throw failureOf(end, output);
}

function failureOf(end: number | NodeJS.ErrnoException, output: string): ServerError {
  if (typeof end !== 'number') {
    return end.code === 'ENOENT'
      ? new ServerError(
          `npm was not found, and it fetches the server; install it, or ${OTHER_WAYS}`,
        )
      : new ServerError(`npm does not start: ${end.message}`);
  }
  const code = /^npm (?:error|ERR!) code (\w+)$/m.exec(output)?.[1];
  if (code === 'E404' || code === 'ETARGET') {
    return new ServerError(`The registry has no such server package; ${OTHER_WAYS}`, 'notFound');
  }
  if (code !== undefined && UNREACHABLE.test(code)) {
    return new ServerError(`The registry is unreachable (${code}); retry, or ${OTHER_WAYS}`);
  }
  const report = output.trim().slice(0, LONGEST_REPORT);
  return new ServerError(`npm failed${code === undefined ? '' : ` (${code})`}: ${report}`);
}
