import semver from 'semver';

import { hexDigest, integrityDigest } from './digests.js';
import {
  bytesOf,
  type DescribedRelease,
  type JsonObject,
  jsonOf,
  linkOf,
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

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
const LONGEST_NAME = 214;

/**
 * Media type of all versions without their descriptions. This is a fifth of the whole document,
 * which has 20 MB and more for some packages.
 */
const ALL_VERSIONS = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';

/**
 * Describes a release of an npm package. Its own document is small and complete. The document of
 * all versions is read only for three reasons:
 * - The registry does not serve single ones.
 * - The tag `latest` names a pre-release.
 * - A missing version must be distinguished from a missing package.
 */
export async function describeNpm(
  reader: RegistryReader,
  query: ReleaseQuery,
): Promise<DescribedRelease> {
  const { name } = query;
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    throw refusedName(
      query,
      'letters, digits, `-`, `.` and `_`, with a scope before them: `react`, `@nestjs/core`',
    );
  }
  const path = name.replace('/', '%2f');
  const version = query.version === undefined ? undefined : exactVersion(query);
  const own = await reader.read(`${path}/${version ?? 'latest'}`, 'application/json');
  const document = own === null ? null : jsonOf(own, query);
  const found = textOf(document?.['version']);
  const isLatest = found !== null && semver.valid(found) !== null && !isPreRelease(found);
  if (document !== null && (version === undefined ? isLatest : found === version))
    return describe(reader, query, document);
  const all = await reader.read(path, ALL_VERSIONS);
  if (all === null) throw missingPackage(query);
  const versions = objectOf(jsonOf(all, query)['versions']);
  const wanted = version ?? latestOf(Object.keys(versions), document);
  if (wanted === null || !Object.hasOwn(versions, wanted)) throw missingVersion(query);
  const single =
    wanted === found || version !== undefined
      ? null
      : await reader.read(`${path}/${wanted}`, 'application/json');
  const described = wanted === found ? document : single === null ? null : jsonOf(single, query);
  return describe(reader, query, described ?? objectOf(versions[wanted]));
}

function exactVersion(query: ReleaseQuery): string {
  const version = semver.valid(query.version ?? '');
  if (version === null)
    throw refusedVersion(query, semver.validRange(query.version) !== null, '19.0.0');
  return version;
}

/**
 * Returns the highest version that is not a pre-release. If there are only pre-releases, it is the
 * version of the tag `latest`, or the highest of all.
 */
function latestOf(versions: readonly string[], tagged: JsonObject | null): string | null {
  const ordered = versions
    .filter((version) => semver.valid(version) !== null)
    .sort(semver.rcompare);
  return (
    ordered.find((version) => !isPreRelease(version)) ??
    textOf(tagged?.['version']) ??
    ordered[0] ??
    null
  );
}

function isPreRelease(version: string): boolean {
  return semver.prerelease(version) !== null;
}

function describe(
  reader: RegistryReader,
  query: ReleaseQuery,
  document: JsonObject,
): DescribedRelease {
  const { name, version } = document;
  const dist = objectOf(document['dist']);
  if (typeof version !== 'string') throw unreadable(query, 'it has no version');
  // A name that differs in more than case would be another package's document.
  if (typeof name !== 'string' || name.toLowerCase() !== query.name.toLowerCase()) {
    throw unreadable(query, 'it is the document of another package');
  }
  const { deprecated, license } = document;
  return {
    name,
    version,
    description: textOf(document['description']),
    homepage: linkOf(document['homepage']),
    license: textOf(typeof license === 'object' ? objectOf(license)['type'] : license, 200),
    // Some registries store an empty text, or `false`, for a withdrawn notice.
    deprecated: textOf(deprecated) ?? (deprecated === true ? 'deprecated' : null),
    yanked: null,
    archives: [
      {
        url: urlOf(dist['tarball'], `${reader.url}/`, query),
        format: 'tar.gz',
        content: 'built',
        strip: true,
        digest: integrityDigest(dist['integrity']) ?? hexDigest('sha1', dist['shasum']),
        size: null,
        unpackedSize: bytesOf(dist['unpackedSize']),
      },
    ],
  };
}
