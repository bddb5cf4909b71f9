import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** A repository on this machine. */
export interface LocalRepository {
  /**
   * Folder that git serves, without links: the bare repository, or the `.git` of a working tree.
   */
  readonly folder: string;
  /**
   * That folder and every other path that git reads, such as those of a linked working tree or of
   * borrowed objects. Links in them are not resolved. Null is a path whose name cannot be read.
   */
  readonly parts: readonly (string | null)[];
}

/** Suffixes that git tries for a repository path, in git's order. */
const SUFFIXES = ['/.git', '', '.git/.git', '.git'];

/** Returns the repository that git would serve for the path, or null if there is none. */
export async function repositoryAt(path: string): Promise<LocalRepository | null> {
  for (const suffix of SUFFIXES) {
    const candidate = `${path === '/' ? '' : path}${suffix}`;
    const found = await kindOf(candidate);
    if (found === 'file') return repositoryIn(await linkedFolder(candidate));
    if (found === 'folder' && (await isRepository(candidate))) return repositoryIn(candidate);
  }
  return null;
}

async function repositoryIn(path: string | null): Promise<LocalRepository | null> {
  const folder = path === null ? null : await realpath(path).catch(() => null);
  if (folder === null || !(await isRepository(folder))) return null;
  const common = await commonFolder(folder);
  const links = ['HEAD', 'refs', 'packed-refs', 'objects', 'objects/pack', 'objects/info'];
  const alternates = await borrowed(resolve(common, 'objects'), MAX_DEPTH);
  return {
    folder,
    parts: [folder, common, ...links.map((name) => resolve(common, name)), ...alternates],
  };
}

async function isRepository(folder: string): Promise<boolean> {
  const common = await commonFolder(folder);
  const wanted = await Promise.all([
    kindOf(resolve(folder, 'HEAD')),
    kindOf(resolve(common, 'objects')),
    kindOf(resolve(common, 'refs')),
  ]);
  return wanted.join(' ') === 'file folder folder';
}

/** Returns the folder of the main repository, which a linked working tree names. */
async function commonFolder(folder: string): Promise<string> {
  const written = await readFile(resolve(folder, 'commondir'), 'utf8').catch(() => '.');
  return resolve(folder, written.trim());
}

/** Returns the folder that a `.git` file names. */
async function linkedFolder(file: string): Promise<string | null> {
  if (((await stat(file).catch(() => null))?.size ?? Infinity) > 65_536) return null;
  const text = await readFile(file, 'utf8').catch(() => '');
  const written = /^gitdir: (.*[^\r\n])[\r\n]*$/s.exec(text)?.[1];
  return written === undefined ? null : resolve(dirname(file), written);
}

/** Maximum depth to which git follows repositories that borrow objects from one another. */
const MAX_DEPTH = 6;

/** Returns the folders whose objects count as the repository's own. */
async function borrowed(objects: string, depth: number): Promise<(string | null)[]> {
  if (depth === 0) return [];
  const text = await readFile(resolve(objects, 'info', 'alternates'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const folders = lines.map((line) => (isPlain(line) ? resolve(objects, line) : null));
  const further = folders
    .filter((folder) => folder !== null)
    .map((folder) => borrowed(folder, depth - 1));
  return [...folders, ...(await Promise.all(further)).flat()];
}

/** Returns false for a path that git quotes because of unusual bytes, or that is not UTF-8. */
function isPlain(line: string): boolean {
  return !line.startsWith('"') && !line.includes('\uFFFD');
}

async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return 'folder';
  return found?.isFile() ? 'file' : null;
}
