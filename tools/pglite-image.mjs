// Creates dist/read-model-image: the folder that a first start copies instead of running initdb and
// the migrations. Rebuilt when PGlite or the compiled read-model code changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param {string} root the repository, built. */
export async function preparePgliteImage(root) {
  const room = join(root, 'dist/libs/read-model');
  const image = join(root, 'dist/read-model-image');
  const stampFile = join(root, 'dist/read-model-image.stamp');
  const stamp = stampOf(root, room);
  if (existsSync(image) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp)
    return;
  const { prepareImage } = await import(
    pathToFileURL(join(room, 'data-source/prepare-image.js')).href
  );
  await prepareImage(image);
  writeFileSync(stampFile, stamp);
}

function stampOf(root, room) {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json')));
  for (const folder of ['migrations', 'tables', 'versions', 'data-source', 'pglite']) {
    for (const name of readdirSync(join(room, folder)).sort()) {
      if (name.endsWith('.js') && !name.endsWith('.spec.js'))
        hash.update(readFileSync(join(room, folder, name)));
    }
  }
  return hash.digest('hex');
}
