// Writes the tables of the tokens next to the built code. A thread reads them in 4 ms instead of
// building them in 40 ms.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param {string} root the repository, compiled. */
export async function writeTokenTables(root) {
  const chunk = join(root, 'dist/libs/ingest/chunk');
  const load = (name) => import(pathToFileURL(join(chunk, name)).href);
  const [{ readO200kFile }, { O200K_TABLES }, { encodeTables }, { buildTables }] =
    await Promise.all(
      ['o200k-file.js', 'o200k-tables.js', 'tables-file.js', 'vocabulary-tables.js'].map(load),
    );
  const part = new URL(`${O200K_TABLES.href}.${process.pid}.part`);
  writeFileSync(part, encodeTables(buildTables(readO200kFile())));
  renameSync(part, O200K_TABLES);
}
