import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that ssh uses for its key and host keys; ssh accepts neither in another form. */
export interface SshFiles {
  readonly identityFile: string;
  /** File that records the host keys of a source's host after first contact. */
  readonly knownHostsFile: string;
}

const KEY = 'key';
const ENDING = '.ssh';

/**
 * Returns the folder in which ssh works, next to a source's scratch folder. It remains when the
 * repository is fetched again.
 */
export function sshFolder(scratch: string): string {
  return `${scratch}${ENDING}`;
}

/**
 * Runs commands with a private key in a file that only its owner can read, and removes it
 * afterwards. Two runs for one source never overlap, because a source has one sync at a time.
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
    // A file from an earlier run would retain its mode.
    await rm(identityFile, { force: true });
    await writeFile(identityFile, key, { mode: 0o600, flag: 'wx' });
    return await work({ identityFile, knownHostsFile: join(folder, 'known_hosts') });
  } finally {
    await rm(identityFile, { force: true });
  }
}

/**
 * Removes the keys left by a process that was killed during a fetch. Call this at startup, before
 * any fetch.
 */
export async function removeStrayKeys(scratchRoot: string): Promise<void> {
  const names = await readdir(scratchRoot).catch(() => []);
  const folders = names.filter((name) => name.endsWith(ENDING));
  await Promise.all(folders.map((name) => rm(join(scratchRoot, name, KEY), { force: true })));
}
