import semver from 'semver';

import { beforeFirst } from '#contracts/content/before-first';

import {
  type DescribedRelease,
  jsonOf,
  missingPackage,
  missingVersion,
  refusedName,
  refusedVersion,
  type ReleaseQuery,
  textOf,
} from './registry-adapter.js';
import type { RegistryReader } from './registry-documents.js';

/**
 * A path as defined by Go's `module.CheckPath`: a host with a dot, then parts of letters, digits
 * and `-._~`.
 */
const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[a-z0-9_~-](?:[a-z0-9._~-]*[a-z0-9_~-])?)*$/i;
const LONGEST_NAME = 400;

/**
 * Describes a version of a Go module by the protocol of module proxies. A proxy names no digest of
 * its content: only the archive's own checksums exist.
 */
export async function describeGo(
  reader: RegistryReader,
  query: ReleaseQuery,
): Promise<DescribedRelease> {
  const { name } = query;
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    throw refusedName(query, 'the path of a module, such as `golang.org/x/mod`');
  }
  const path = escaped(name);
  const wanted = query.version === undefined ? undefined : exactVersion(query);
  const list = await reader.read(`${path}/@v/list`);
  const known = versionsOf(list);
  const version = wanted ?? latestOf(known) ?? (await untagged(reader, query, path));
  if (version === undefined) throw missingPackage(query);
  const info = await reader.read(`${path}/@v/${escaped(version)}.info`);
  if (info === null)
    throw list === null && known.length === 0 ? missingPackage(query) : missingVersion(query);
  const notices = noticesOf(await newestModule(reader, path, latestOf(known) ?? version), version);
  const exact = textOf(jsonOf(info, query)['Version']) ?? version;
  return {
    name,
    version: exact,
    description: null,
    homepage: null,
    license: null,
    ...notices,
    archives: [
      {
        url: `${reader.url}/${path}/@v/${escaped(exact)}.zip`,
        format: 'zip',
        content: 'source',
        strip: `${name}@${exact}/`,
        digest: null,
        size: null,
      },
    ],
  };
}

function exactVersion(query: ReleaseQuery): string {
  const given = query.version ?? '';
  const version = /^v?\d/.test(given) ? `v${given.replace(/^v/, '')}` : '';
  if (semver.valid(version) === null)
    throw refusedVersion(query, semver.validRange(given) !== null, 'v1.2.3');
  return version;
}

/** Returns a name with capitals written as `!c`, for file systems that ignore case. */
function escaped(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}

function versionsOf(list: Uint8Array | null): string[] {
  const lines = list === null ? [] : Buffer.from(list).toString('utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => semver.valid(line) !== null);
}

/**
 * Returns the latest version in Go's own order: releases before pre-releases. `+incompatible`
 * versions count only where there is nothing else.
 */
function latestOf(versions: readonly string[]): string | undefined {
  const ordered = versions.toSorted(semver.rcompare);
  const releases = ordered.filter((version) => semver.prerelease(version) === null);
  return (
    releases.find((version) => !version.endsWith('+incompatible')) ?? releases[0] ?? ordered[0]
  );
}

/** Returns the version of a module without tags; it names a commit. */
async function untagged(
  reader: RegistryReader,
  query: ReleaseQuery,
  path: string,
): Promise<string | undefined> {
  const latest = await reader.read(`${path}/@latest`);
  return latest === null ? undefined : (textOf(jsonOf(latest, query)['Version']) ?? undefined);
}

/** Returns the newest version's `go.mod`, which is valid for all versions. */
async function newestModule(
  reader: RegistryReader,
  path: string,
  version: string,
): Promise<string> {
  const bytes = await reader.read(`${path}/@v/${escaped(version)}.mod`);
  return bytes === null ? '' : Buffer.from(bytes).toString('utf8');
}

/** Returns the notices for a version: `// Deprecated:` above the module and `retract` below it. */
function noticesOf(
  module: string,
  version: string,
): Pick<DescribedRelease, 'deprecated' | 'yanked'> {
  const above = module.slice(0, module.search(/^module\s/m) + 1);
  const deprecated = /^\/\/[^\S\n]*Deprecated:[^\S\n]*(\S.*)$/m.exec(above)?.[1];
  let comment = '';
  for (const line of retractLines(module)) {
    const [range = '', reason = ''] = line.split('//', 2).map((part) => part.trim());
    if (range !== '' && covers(range, version))
      return { deprecated: textOf(deprecated), yanked: reason || comment };
    comment = range === '' ? reason : '';
  }
  return { deprecated: textOf(deprecated), yanked: null };
}

/** Returns the trimmed lines of all `retract` directives, those between parentheses included. */
function retractLines(module: string): string[] {
  const found: string[] = [];
  let inBlock = false;
  for (const line of module.split('\n').map((each) => each.trim())) {
    const directive: string | undefined = inBlock
      ? line
      : /^retract(?=[\s(])(.*)$/.exec(line)?.[1]?.trim();
    if (directive === undefined) continue;
    inBlock ||= directive.startsWith('(');
    const body = directive.startsWith('(') ? directive.slice(1) : directive;
    const end: number = inBlock ? beforeFirst(body, '/').indexOf(')') : -1;
    inBlock &&= end === -1;
    found.push((end === -1 ? body : body.slice(0, end)).trim());
  }
  return found;
}

/** Returns whether a range, `v1.0.0` or `[v1.0.0, v1.9.9]`, contains a version. */
function covers(range: string, version: string): boolean {
  const [low = '', high = low] = range.replace(/[[\]\s]/g, '').split(',');
  const [from, to, at] = [semver.parse(low), semver.parse(high), semver.parse(version)];
  return from !== null && to !== null && at !== null && semver.gte(at, from) && semver.lte(at, to);
}
