import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder for the clones of this process alone, named after its pid; what processes left that are
 * gone is removed. For processes that share a DATA_DIR on one host.
 */
export async function takeScratchFolder(
  parent: string,
): Promise<{ readonly path: string; remove(): Promise<void> }> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    if (/^\d+$/.test(name) && !isAlive(Number(name)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
  const path = join(parent, String(process.pid));
  await mkdir(path, { recursive: true });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
