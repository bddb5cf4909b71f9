import semver from 'semver';

import { hexDigest } from './digests.js';
import {
  type DescribedRelease,
  type JsonObject,
  jsonOf,
  missingPackage,
  missingVersion,
  objectOf,
  refusedName,
  refusedVersion,
  type ReleaseQuery,
  textOf,
  unreadable,
  urlOf,
} from './registry-adapter.js';
import type { RegistryReader } from './registry-documents.js';

const NAME = /^[a-z][a-z0-9_-]{0,63}$/i;

/**
 * Describes a release of a Rust crate by the sparse index, which every crate registry has, also a
 * private one. The index has neither description nor license: these are in the crate's own
 * `Cargo.toml`.
 */
export async function describeCargo(
  reader: RegistryReader,
  query: ReleaseQuery,
): Promise<DescribedRelease> {
  if (!NAME.test(query.name))
    throw refusedName(query, 'letters, digits, `-` and `_`, such as `serde_json`');
  const wanted = query.version === undefined ? undefined : exactVersion(query);
  const index = await indexOf(reader, query.name);
  if (index === null) throw missingPackage(query);
  const releases = Buffer.from(index)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => jsonOf(Buffer.from(line), query))
    .filter(({ vers }) => semver.valid(textOf(vers)) !== null);
  const release =
    wanted === undefined
      ? latestOf(releases)
      : releases.find(({ vers }) => isVersion(vers, wanted));
  if (release === undefined) throw missingVersion(query);
  const [name, version] = [textOf(release['name']), textOf(release['vers'])];
  if (name === null || version === null) throw unreadable(query, 'it has no name or version');
  const digest = hexDigest('sha256', release['cksum']);
  const url = await downloadUrl(reader, query, name, version, digest?.hex ?? '');
  return {
    name,
    version,
    description: null,
    homepage: null,
    license: null,
    deprecated: null,
    yanked: release['yanked'] === true ? '' : null,
    archives: [{ url, format: 'tar.gz', content: 'source', strip: true, digest, size: null }],
  };
}

function exactVersion(query: ReleaseQuery): string {
  const version = semver.parse(query.version)?.raw.replace(/^[=v]+/, '');
  if (version === undefined)
    throw refusedVersion(query, semver.validRange(query.version) !== null, '1.0.228');
  return version;
}

/**
 * Returns whether a version is the requested one. Text after a `+` distinguishes builds of the same
 * version.
 */
function isVersion(given: unknown, wanted: string): boolean {
  const version = textOf(given);
  return version !== null && semver.eq(version, wanted);
}

/**
 * Returns the index of a crate. The registry treats `-` and `_` as equal, and the index knows one
 * of them.
 */
async function indexOf(reader: RegistryReader, name: string): Promise<Uint8Array | null> {
  const spellings = new Set(
    [name, name.replaceAll('_', '-'), name.replaceAll('-', '_')].map((each) => each.toLowerCase()),
  );
  for (const spelling of spellings) {
    const index = await reader.read(`${prefixOf(spelling)}/${spelling}`);
    if (index !== null) return index;
  }
  return null;
}

function prefixOf(name: string): string {
  if (name.length <= 2) return String(name.length);
  return name.length === 3 ? `3/${name.slice(0, 1)}` : `${name.slice(0, 2)}/${name.slice(2, 4)}`;
}

/**
 * Returns the highest release that is neither withdrawn nor a pre-release, or the nearest to that.
 */
function latestOf(releases: readonly JsonObject[]): JsonObject | undefined {
  const versionOf = ({ vers }: JsonObject): string => textOf(vers) ?? '0.0.0';
  const ordered = releases.toSorted((a, b) => semver.rcompare(versionOf(a), versionOf(b)));
  const usable = ordered.filter(({ yanked }) => yanked !== true);
  return (
    usable.find((release) => semver.prerelease(versionOf(release)) === null) ??
    usable[0] ??
    ordered[0]
  );
}

/**
 * Returns the URL of the archive. The index configures where archives are, with marks in the URL or
 * without.
 */
async function downloadUrl(
  reader: RegistryReader,
  query: ReleaseQuery,
  name: string,
  version: string,
  checksum: string,
): Promise<string> {
  const config = await reader.read('config.json', 'application/json');
  const template = config === null ? null : textOf(objectOf(jsonOf(config, query))['dl']);
  if (template === null) throw unreadable(query, 'its configuration names no place of archives');
  const marks: Readonly<Record<string, string>> = {
    '{crate}': name,
    '{version}': version,
    '{prefix}': prefixOf(name),
    '{lowerprefix}': prefixOf(name.toLowerCase()),
    '{sha256-checksum}': checksum,
  };
  const used = Object.keys(marks).some((mark) => template.includes(mark));
  const filled = Object.entries(marks).reduce(
    (text, [mark, value]) => text.replaceAll(mark, value),
    template,
  );
  return urlOf(used ? filled : `${template}/${name}/${version}/download`, `${reader.url}/`, query);
}
