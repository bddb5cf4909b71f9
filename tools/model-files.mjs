// Puts the data of the built-in models beside the built code, which reads it from there: a production install has dist alone.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Brings dist/libs/models/data to what libs/models/data is now; what has not changed is not written. */
export function copyModelFiles(root) {
  const source = join(root, 'libs/models/data');
  const target = join(root, 'dist/libs/models/data');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(source).filter((each) => each.endsWith('.bin'))) {
    const copy = join(target, name);
    if (existsSync(copy) && readFileSync(copy).equals(readFileSync(join(source, name)))) continue;
    const part = `${copy}.${process.pid}.part`;
    copyFileSync(join(source, name), part);
    renameSync(part, copy);
  }
}
