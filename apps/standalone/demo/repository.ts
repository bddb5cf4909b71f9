import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const GIT_TIMEOUT_MS = 120_000;

/** A repository in the form of the API. */
export interface DemoRepository {
  readonly name: string;
  readonly url: string;
  readonly branch: string;
  /** Folder of the cited files; undefined for a remote repository. */
  readonly folder: string | undefined;
}

/**
 * Converts a folder or URL to a source: the default branch of a remote, the checked-out commit of a
 * folder.
 * @param scratch an existing folder for the copy that a detached checkout needs.
 * @throws Error with a sentence for people.
 */
export async function resolveRepository(
  target: string | undefined,
  scratch: string,
): Promise<DemoRepository> {
  if (target !== undefined && !existsSync(target)) return remote(target);
  const folder = await toplevel(resolve(target ?? '.'));
  const branch = await git(folder, 'symbolic-ref', '--quiet', '--short', 'HEAD').catch(() => null);
  const name = basename(folder).replace(/\.git$/, '');
  if (branch) return { name, url: pathToFileURL(folder).href, branch, folder };
  const copy = join(scratch, 'checkout.git');
  await git(scratch, 'init', '--quiet', '--bare', copy);
  await git(folder, 'push', '--quiet', copy, 'HEAD:refs/heads/demo');
  return { name, url: pathToFileURL(copy).href, branch: 'demo', folder };
}

async function toplevel(folder: string): Promise<string> {
  try {
    const bare = await git(folder, 'rev-parse', '--is-bare-repository');
    return bare === 'true' ? folder : await git(folder, 'rev-parse', '--show-toplevel');
  } catch {
    throw new Error(`${folder} is not a git repository`);
  }
}

async function remote(url: string): Promise<DemoRepository> {
  const listing = await git('.', 'ls-remote', '--symref', '--', url, 'HEAD').catch(
    (error: unknown) => {
      throw new Error(`${url} must be a folder or a reachable git repository`, {
        cause: error,
      });
    },
  );
  const branch = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(listing)?.[1];
  if (!branch) throw new Error(`${url} has no default branch`);
  return { name: basename(url).replace(/\.git$/, ''), url, branch, folder: undefined };
}

async function git(folder: string, ...words: string[]): Promise<string> {
  const environment = { PATH: PATH_OF_GIT, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const { stdout } = await run('git', ['-C', folder, '-c', 'protocol.ext.allow=never', ...words], {
    timeout: GIT_TIMEOUT_MS,
    env: environment,
  });
  return stdout.trim();
}

const PATH_OF_GIT = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
