// Copies the data of the built-in models next to the built code, which reads it from there: a
// production install has only dist.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Updates dist/libs/models/data to the model files of libs/models/data and their license notice;
 * skips unchanged files.
 */
export function copyModelFiles(root) {
  const source = join(root, 'libs/models/data');
  const target = join(root, 'dist/libs/models/data');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(source).filter(
    (each) => each.endsWith('.bin') || each === 'NOTICE',
  )) {
    const copy = join(target, name);
    if (existsSync(copy) && readFileSync(copy).equals(readFileSync(join(source, name)))) continue;
    const part = `${copy}.${process.pid}.part`;
    copyFileSync(join(source, name), part);
    renameSync(part, copy);
  }
}
