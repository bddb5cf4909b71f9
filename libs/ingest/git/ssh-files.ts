import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What ssh is told to use, as files: it takes neither from anywhere else. */
export interface SshFiles {
  readonly identityFile: string;
  /** Where the host keys of a source's host are kept once they were seen. */
  readonly knownHostsFile: string;
}

const KEY = 'key';
const ENDING = '.ssh';

/**
 * The folder beside a source's scratch folder that ssh works in; it outlives a repository that is
 * fetched anew.
 */
export function sshFolder(scratch: string): string {
  return `${scratch}${ENDING}`;
}

/**
 * Runs commands with a private key in a file that its owner alone can read, and removes it after
 * them. Two runs for one source never overlap: a source has one sync at a time.
 */
export async function withSshKey<T>(
  scratch: string,
  key: string,
  work: (files: SshFiles) => Promise<T>,
): Promise<T> {
  const folder = sshFolder(scratch);
  const identityFile = join(folder, KEY);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // A file of an earlier run would keep its own mode.
    await rm(identityFile, { force: true });
    await writeFile(identityFile, key, { mode: 0o600, flag: 'wx' });
    return await work({ identityFile, knownHostsFile: join(folder, 'known_hosts') });
  } finally {
    await rm(identityFile, { force: true });
  }
}

/**
 * Removes the keys that a process left which was killed in the midst of a fetch. For a start,
 * before anything is fetched.
 */
export async function removeStrayKeys(scratchRoot: string): Promise<void> {
  const names = await readdir(scratchRoot).catch(() => []);
  const folders = names.filter((name) => name.endsWith(ENDING));
  await Promise.all(folders.map((name) => rm(join(scratchRoot, name, KEY), { force: true })));
}
