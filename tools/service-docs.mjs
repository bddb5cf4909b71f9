// Copies Footnote's own documentation next to the built code, where it is indexed from: a
// production install has only dist.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Decision records explain the code, not the service. */
const LEFT_OUT = 'adr';

/**
 * Updates dist/service-docs to README.md and the pages of docs/ without the decision records; skips
 * unchanged files.
 */
export function copyServiceDocs(root) {
  const target = join(root, 'dist/service-docs');
  const wanted = ['README.md', ...markdownBelow(join(root, 'docs')).map((path) => `docs/${path}`)];
  for (const path of wanted) {
    const content = readFileSync(join(root, path));
    const copy = join(target, path);
    if (existsSync(copy) && readFileSync(copy).equals(content)) continue;
    mkdirSync(dirname(copy), { recursive: true });
    const part = `${copy}.${process.pid}.part`;
    writeFileSync(part, content);
    renameSync(part, copy);
  }
  for (const path of markdownBelow(join(target, 'docs'))) {
    if (!wanted.includes(`docs/${path}`)) rmSync(join(target, 'docs', path), { force: true });
  }
}

/**
 * Returns paths of Markdown files below the folder, relative to it, with `/` between their parts.
 */
function markdownBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ parentPath, path, name }) =>
      relative(folder, join(parentPath ?? path, name)).replaceAll('\\', '/'),
    )
    .filter((path) => !path.startsWith(`${LEFT_OUT}/`));
}
