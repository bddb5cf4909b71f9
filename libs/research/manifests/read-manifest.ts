import type { Manifest, ManifestEcosystem, ManifestFile } from './manifest.types.js';
import { ecosystemOf } from './manifest-paths.js';
import { tomlEntries, tomlStrings } from './toml-tables.js';

/** Characters of a manifest that are read; the rest is ignored. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_NAMES = 500;
const NPM_REQUIRES = [
  'dependencies',
  'peerDependencies',
  'optionalDependencies',
  'devDependencies',
];
const CARGO_REQUIRES = /(?:^|\.)(?:dev-|build-)?dependencies$/;
const CARGO_ONE = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/;
const REQUIREMENT = /^[A-Za-z0-9][\w.-]*/;
const GO_MODULE = /^module\s+"?([^\s"]+)"?/;
const GO_REQUIRE = /^(?:require\s+)?"?([\w.-]+(?:\/[\w.~-]+)+)"?\s+v\S+/;
const POM_TAG =
  /<(\/?)(parent|dependencyManagement|dependencies|dependency|build|profiles|groupId|artifactId)>([^<]{0,200})/g;

type Names = Omit<Manifest, 'ecosystem'>;

/** Returns the names in a manifest; undefined for other files and unreadable text. */
export function readManifest({ path, text }: ManifestFile): Manifest | undefined {
  const ecosystem = ecosystemOf(path);
  if (ecosystem === undefined) return undefined;
  const names = READERS[ecosystem](text.slice(0, MOST_CHARACTERS));
  return (
    names && {
      ecosystem,
      provides: distinct(names.provides),
      requires: distinct(names.requires),
    }
  );
}

const READERS: Record<ManifestEcosystem, (text: string) => Names | undefined> = {
  npm: readNpm,
  pypi: readPypi,
  go: readGo,
  cargo: readCargo,
  maven: readMaven,
};

function readNpm(text: string): Names | undefined {
  const parsed = parseObject(text);
  if (!parsed) return undefined;
  const { name } = parsed;
  return {
    provides: typeof name === 'string' ? [name] : [],
    requires: NPM_REQUIRES.flatMap((field) => keysOf(parsed[field])),
  };
}

function readPypi(text: string): Names {
  const provides: string[] = [];
  const requires: string[] = [];
  for (const { table, key, value } of tomlEntries(text)) {
    if (/^(?:project|tool\.poetry)$/.test(table) && key === 'name')
      provides.push(...tomlStrings(value));
    const isList =
      (table === 'project' && key === 'dependencies') ||
      table === 'project.optional-dependencies' ||
      table === 'dependency-groups';
    if (isList)
      requires.push(...tomlStrings(value).flatMap((each) => REQUIREMENT.exec(each) ?? []));
    if (/^tool\.poetry\.(?:.*\.)?dependencies$/.test(table) && key !== 'python') requires.push(key);
  }
  return { provides: provides.map(pythonName), requires: requires.map(pythonName) };
}

function readGo(text: string): Names {
  const provides: string[] = [];
  const requires: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const own = GO_MODULE.exec(line);
    if (own) provides.push(own[1] ?? '');
    else requires.push(...(GO_REQUIRE.exec(line)?.slice(1) ?? []));
  }
  return { provides, requires };
}

function readCargo(text: string): Names {
  const provides: string[] = [];
  const requires: string[] = [];
  for (const { table, key, value } of tomlEntries(text)) {
    if (/^(?:package|lib)$/.test(table) && key === 'name') provides.push(...tomlStrings(value));
    if (CARGO_REQUIRES.test(table)) requires.push(key.split('.')[0] ?? key);
    requires.push(...(CARGO_ONE.exec(table)?.slice(1) ?? []));
  }
  return { provides: provides.map(crateName), requires: requires.map(crateName) };
}

/** Reads group and artifact of the project and of its direct dependencies. */
function readMaven(text: string): Names {
  const open: string[] = [];
  let parentGroup = '';
  const own = { groupId: '', artifactId: '' };
  let dependency = { groupId: '', artifactId: '' };
  const requires: string[] = [];
  for (const [, slash, tag = '', value = ''] of text.matchAll(POM_TAG)) {
    if (tag === 'groupId' || tag === 'artifactId') {
      if (slash === '/') continue;
      if (open.at(-1) === 'dependency') dependency[tag] = value.trim();
      else if (open.length === 0) own[tag] = value.trim();
      else if (open.at(-1) === 'parent' && tag === 'groupId') parentGroup = value.trim();
      continue;
    }
    if (slash === '') {
      open.push(tag);
      if (tag === 'dependency') dependency = { groupId: '', artifactId: '' };
      continue;
    }
    if (tag === 'dependency' && dependency.artifactId !== '')
      requires.push(`${dependency.groupId}:${dependency.artifactId}`);
    if (open.at(-1) === tag) open.pop();
  }
  const group = own.groupId === '' ? parentGroup : own.groupId;
  return { provides: own.artifactId === '' ? [] : [`${group}:${own.artifactId}`], requires };
}

/** Returns the name of a Python project in its normal form. */
function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Returns the name that code uses for a crate. */
function crateName(name: string): string {
  return name.replaceAll('-', '_');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MOST_NAMES);
}
