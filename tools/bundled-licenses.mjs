// Licenses of the packages whose code a bundle contains.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * Returns the text of a NOTICE file: name, version and license of each bundled package in order,
 * then its license files.
 * @param root folder that the paths start from.
 * @param files bundled files.
 * @throws Error for a package that states no license or has no license file.
 */
export function noticeOf(root, files) {
  const folders = new Set(files.map((path) => PACKAGE_FOLDER.exec(path)?.[0]).filter(Boolean));
  const entries = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    if (typeof license !== 'string') throw new Error(`${folder} states no license`);
    entries.set(`${name} ${version} (${license})`, licenseText(join(root, folder)));
  }
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    'This package contains code of the packages below.',
    ...sorted.map(([title, text]) => `${'-'.repeat(78)}\n${title}\n\n${text}`),
  ].join('\n\n');
}

function licenseText(folder) {
  const names = readdirSync(folder).filter((name) => LICENSE_FILE.test(name));
  if (names.length === 0) throw new Error(`${folder} has no license file`);
  return names
    .sort()
    .map((name) => `${readFileSync(join(folder, name), 'utf8').trim()}\n`)
    .join('\n');
}
