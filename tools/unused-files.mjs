import { opendirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Source maps of packages: Node does not read them, and their sources are not installed. */
const SOURCE_MAP = /\.(?:[cm]?[jt]s|css)\.map$/;
/** The C++ headers of Node: no package is compiled from source. */
const NODE_HEADERS = /(?:^|[\\/])node[\\/]node_modules[\\/][^\\/]+[\\/]include$/;

/**
 * Removes files of installed packages that nothing reads, about a quarter of `node_modules`: source
 * maps, and the C++ headers of Node. Npm leaves its own files next to the runtimes. Links are not
 * followed.
 *
 * @param {string} modules a folder `node_modules`
 * @returns {number} how many files and folders were removed
 */
export function removeUnusedFiles(modules) {
  let removed = 0;
  const folders = [modules];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = opendirSync(folder, { bufferSize: 256 });
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const path = join(folder, entry.name);
      const isUnused = entry.isDirectory() ? NODE_HEADERS.test(path) : isSourceMap(entry);
      if (isUnused) {
        rmSync(path, { recursive: true, force: true });
        removed += 1;
      } else if (entry.isDirectory()) folders.push(path);
    }
    entries.closeSync();
  }
  return removed;
}

function isSourceMap(entry) {
  return entry.isFile() && SOURCE_MAP.test(entry.name);
}
