import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceFile, syncFolder } from '#platform';

import { namesIn, SegmentFolder } from './segment-folder.js';

const BUILDS = 'builds';
const SERVING = 'serving';
const BUILD_NAME = /^[0-9a-f-]{36}$/;

/**
 * The indices in the engine's folder: the first one is in the folder itself, each later build in
 * `builds/<name>`. The file `serving` names the serving one; without it, the first one serves.
 * Anything else in the folder was left by a crash.
 */
export class IndexFolders {
  private constructor(
    private readonly directory: string,
    private current: SegmentFolder,
  ) {}

  static async open(directory: string): Promise<IndexFolders> {
    const name = await servingName(directory);
    return new IndexFolders(
      directory,
      new SegmentFolder(name === null ? directory : join(directory, BUILDS, name)),
    );
  }

  get serving(): SegmentFolder {
    return this.current;
  }

  /** Creates an empty folder for a build. */
  async begin(): Promise<SegmentFolder> {
    await this.removeOthers();
    const folder = join(this.directory, BUILDS, randomUUID());
    await mkdir(folder, { recursive: true });
    await syncFolder(join(this.directory, BUILDS));
    await syncFolder(this.directory);
    return new SegmentFolder(folder);
  }

  /**
   * Makes a finished build the serving one, durably. The previous one is left for {@link
   * removeOthers}.
   */
  async show(folder: SegmentFolder): Promise<void> {
    const name = folder.directory.slice(join(this.directory, BUILDS).length + 1);
    await replaceFile(join(this.directory, SERVING), Buffer.from(name));
    this.current = folder;
  }

  /** Removes every index except the serving one. */
  async removeOthers(): Promise<void> {
    const builds = join(this.directory, BUILDS);
    for (const name of await namesIn(builds)) {
      const folder = join(builds, name);
      if (folder !== this.current.directory) await rm(folder, { recursive: true, force: true });
    }
    if (this.current.directory === this.directory) return;
    for (const entry of await readdir(this.directory, { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== BUILDS) {
        await rm(join(this.directory, entry.name), { recursive: true, force: true });
      }
    }
  }
}

/**
 * A name whose build is missing, for example after a partial restore, is ignored: the packs are
 * loaded again.
 */
async function servingName(directory: string): Promise<string | null> {
  const file = join(directory, SERVING);
  if (!existsSync(file)) return null;
  const name = (await readFile(file, 'utf8')).trim();
  return BUILD_NAME.test(name) && existsSync(join(directory, BUILDS, name)) ? name : null;
}
