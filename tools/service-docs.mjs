// Puts Footnote's own documentation beside the built code, where it is indexed from: a production install has dist alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Brings dist/service-docs to what README.md and docs/*.md are now; what has not changed is not written. */
export function copyServiceDocs(root) {
  const target = join(root, 'dist/service-docs');
  mkdirSync(join(target, 'docs'), { recursive: true });
  const wanted = ['README.md', ...markdownOf(join(root, 'docs')).map((name) => `docs/${name}`)];
  for (const path of wanted) {
    const content = readFileSync(join(root, path));
    const copy = join(target, path);
    if (existsSync(copy) && readFileSync(copy).equals(content)) continue;
    const part = `${copy}.${process.pid}.part`;
    writeFileSync(part, content);
    renameSync(part, copy);
  }
  for (const name of markdownOf(join(target, 'docs'))) {
    if (!wanted.includes(`docs/${name}`)) rmSync(join(target, 'docs', name), { force: true });
  }
}

function markdownOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => name);
}
