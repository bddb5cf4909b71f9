import { eq, explain, rcompare, valid, validRange } from '@renovatebot/pep440';

import { hexDigest } from './digests.js';
import type { PackageArchive } from './package-registry.port.js';
import {
  bytesOf,
  type DescribedRelease,
  type JsonObject,
  jsonOf,
  linkOf,
  listOf,
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

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,198}[a-z0-9])?$/i;

/** Returns a project's name as PEP 503 normalizes it: `Zope.Interface` is `zope-interface`. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/**
 * Describes a release of a Python package by the index's JSON documents of a project and of one of
 * its releases.
 */
export async function describePypi(
  reader: RegistryReader,
  query: ReleaseQuery,
): Promise<DescribedRelease> {
  if (!NAME.test(query.name))
    throw refusedName(query, 'letters, digits, `-`, `_` and `.`, such as `requests`');
  const name = normalizedName(query.name);
  const { version } = query;
  if (version !== undefined && valid(version) === null) {
    throw refusedVersion(query, validRange(version), '2.32.5');
  }
  if (version !== undefined) {
    const own = await release(reader, query, name, version);
    if (own !== null) return describe(reader, query, own, name);
  }
  const all = await reader.read(`pypi/${name}/json`, 'application/json');
  if (all === null) throw missingPackage(query);
  const project = jsonOf(all, query);
  const current = textOf(objectOf(project['info'])['version']);
  const wanted = wantedVersion(objectOf(project['releases']), version, current);
  if (wanted === null) throw missingVersion(query);
  if (wanted === current) return describe(reader, query, project, name);
  const other = await release(reader, query, name, wanted);
  if (other === null) throw missingVersion(query);
  return describe(reader, query, other, name);
}

async function release(reader: RegistryReader, query: ReleaseQuery, name: string, version: string) {
  const own = await reader.read(
    `pypi/${name}/${encodeURIComponent(version)}/json`,
    'application/json',
  );
  return own === null ? null : jsonOf(own, query);
}

/**
 * Returns the version in the spelling of the index: the requested one (`2.0` is `2.0.0`), or the
 * latest. The latest is the highest that has files not withdrawn and is not a pre-release. Next
 * come the highest pre-release and the version that the index itself shows.
 */
function wantedVersion(
  releases: JsonObject,
  version: string | undefined,
  current: string | null,
): string | null {
  const known = Object.keys(releases).filter((each) => valid(each) !== null);
  if (version !== undefined) {
    const spelled = known.find((each) => eq(each, version));
    return (
      spelled ??
      (current !== null && valid(current) !== null && eq(current, version) ? current : null)
    );
  }
  const usable = known.filter((each) =>
    listOf(releases[each]).some((file) => objectOf(file)['yanked'] !== true),
  );
  const ordered = usable.sort(rcompare);
  return ordered.find((each) => explain(each)?.is_prerelease === false) ?? ordered[0] ?? current;
}

function describe(
  reader: RegistryReader,
  query: ReleaseQuery,
  document: JsonObject,
  name: string,
): DescribedRelease {
  const info = objectOf(document['info']);
  const version = textOf(info['version']);
  if (version === null) throw unreadable(query, 'it has no version');
  if (normalizedName(textOf(info['name']) ?? '') !== name)
    throw unreadable(query, 'it is the document of another package');
  const files = listOf(document['urls']).map(objectOf);
  const archives = archivesOf(files, reader, query);
  if (archives.length === 0)
    throw unreadable(query, `version ${version} has no archive that is read (sdist or wheel)`);
  const yanked =
    info['yanked'] === true || (files.length > 0 && files.every((file) => file['yanked'] === true));
  const classifiers = listOf(info['classifiers']);
  return {
    name,
    version,
    description: textOf(info['summary']),
    homepage: homepageOf(info),
    license: licenseOf(info, classifiers),
    deprecated: classifiers.includes('Development Status :: 7 - Inactive')
      ? 'Its author calls it inactive'
      : null,
    yanked: yanked ? (textOf(info['yanked_reason']) ?? '') : null,
    archives,
  };
}

function homepageOf(info: JsonObject): string | null {
  const links = Object.entries(objectOf(info['project_urls']));
  const named = (label: RegExp) => linkOf(links.find(([text]) => label.test(text))?.[1]);
  return (
    linkOf(info['home_page']) ??
    named(/^home-?\s?page$/i) ??
    named(/^(?:documentation|docs|source|repository)/i)
  );
}

/** Returns the license. Old releases have whole license texts in place of a name. */
function licenseOf(info: JsonObject, classifiers: readonly unknown[]): string | null {
  const text = textOf(info['license']);
  const named = text !== null && text.length <= 100 && !text.includes('\n') ? text : null;
  const classified = classifiers.find(
    (each) => typeof each === 'string' && each.startsWith('License :: '),
  );
  return (
    textOf(info['license_expression'], 200) ??
    named ??
    textOf(classified)?.split(' :: ').at(-1) ??
    null
  );
}

/**
 * Returns archives, best first. A wheel of Python alone has exactly the imported files. Next is the
 * smallest wheel with compiled parts, whose Python is the same on every platform. Last are the
 * sources, which also contain tests, documentation and compiled languages.
 */
function archivesOf(
  files: readonly JsonObject[],
  reader: RegistryReader,
  query: ReleaseQuery,
): PackageArchive[] {
  const archives = files.flatMap((file): PackageArchive[] => {
    const name = textOf(file['filename']) ?? '';
    const shape = shapeOf(name, file['packagetype']);
    if (shape === null) return [];
    const digests = objectOf(file['digests']);
    const digest = hexDigest('sha256', digests['sha256']);
    return [
      {
        url: urlOf(file['url'], `${reader.url}/`, query),
        ...shape,
        digest,
        size: bytesOf(file['size']),
      },
    ];
  });
  return archives.sort(
    (a, b) => RANK[a.content] - RANK[b.content] || (a.size ?? Infinity) - (b.size ?? Infinity),
  );
}

const RANK = { built: 0, binary: 1, source: 2 } as const;

function shapeOf(
  name: string,
  type: unknown,
): Pick<PackageArchive, 'format' | 'content' | 'strip'> | null {
  if (type === 'bdist_wheel' && name.endsWith('.whl')) {
    return { format: 'zip', content: name.endsWith('-none-any.whl') ? 'built' : 'binary' };
  }
  if (type !== 'sdist') return null;
  if (/\.(?:tar\.gz|tgz)$/.test(name)) return { format: 'tar.gz', content: 'source', strip: true };
  return name.endsWith('.zip') ? { format: 'zip', content: 'source', strip: true } : null;
}
