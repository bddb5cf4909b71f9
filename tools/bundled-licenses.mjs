// Licenses of the packages whose code a bundle contains.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
/**
 * The comment by which a bundler of others marks the code of a package inside its own file, such as
 * `//#region ../../node_modules/.pnpm/ajv-formats@3.0.1_ajv@8.18.0/node_modules/…`.
 */
const CARRIED_CODE = /^\/\/#region .*node_modules\/\.pnpm\/(@?[^@/\s]+)@([^_(/\s]+)/gm;
/** License texts of carried packages that the project does not install. */
const KEPT_TEXTS = 'tools/licenses';

/**
 * Returns the text of a NOTICE file: name, version and license of each bundled package in order,
 * then its license files. Packages that a bundled file carries inside are among them.
 * @param root folder that the paths start from.
 * @param files bundled files.
 * @throws Error for a package that states no license or has no license file.
 */
export function noticeOf(root, files) {
  const inPackages = files.filter((path) => PACKAGE_FOLDER.test(path));
  const folders = new Set(inPackages.map((path) => PACKAGE_FOLDER.exec(path)[0]));
  const entries = new Map();
  for (const folder of folders) {
    const { name, version, license } = manifestOf(join(root, folder));
    if (typeof license !== 'string') throw new Error(`${folder} states no license`);
    entries.set(`${name} ${version} (${license})`, licenseText(join(root, folder)));
  }
  for (const [name, version] of inPackages.flatMap((path) => carriedBy(join(root, path)))) {
    const [license, text] = licenseOfCarried(root, name);
    entries.set(`${name} ${version} (${license})`, text);
  }
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    'This package contains code of the packages below.',
    ...sorted.map(([title, text]) => `${'-'.repeat(78)}\n${title}\n\n${text}`),
  ].join('\n\n');
}

/** Returns names and versions of the packages whose code a file carries inside. */
function carriedBy(file) {
  const found = readFileSync(file, 'utf8').matchAll(CARRIED_CODE);
  return [...found].map(([, name, version]) => [name.replace('+', '/'), version]);
}

/** Returns the license of a carried package: that of the installed version, or a kept text. */
function licenseOfCarried(root, name) {
  const folder = join(root, 'node_modules', name);
  if (existsSync(folder)) return [manifestOf(folder).license, licenseText(folder)];
  const kept = join(root, KEPT_TEXTS, `${name.replace('/', '+')}.txt`);
  if (!existsSync(kept)) throw new Error(`${KEPT_TEXTS} has no license text of ${name}`);
  const [license = '', ...lines] = readFileSync(kept, 'utf8').split('\n');
  return [license, `${lines.join('\n').trim()}\n`];
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function licenseText(folder) {
  const names = readdirSync(folder).filter((name) => LICENSE_FILE.test(name));
  if (names.length === 0) throw new Error(`${folder} has no license file`);
  return names
    .sort()
    .map((name) => `${readFileSync(join(folder, name), 'utf8').trim()}\n`)
    .join('\n');
}
