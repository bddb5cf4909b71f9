import { Parser } from 'htmlparser2';

import { hexDigest } from './digests.js';
import { compareMavenVersions, isMavenPreRelease } from './maven-version.js';
import type { ArchiveDigest, PackageArchive } from './package-registry.port.js';
import {
  type DescribedRelease,
  linkOf,
  missingPackage,
  missingVersion,
  refusedName,
  refusedVersion,
  type ReleaseQuery,
  textOf,
  unreadable,
} from './registry-adapter.js';
import type { RegistryReader } from './registry-documents.js';

const NAME = /^([\w-]+(?:\.[\w-]+)*):([\w-]+(?:\.[\w-]+)*)$/;
const VERSION = /^[\w.+-]{1,100}$/;
const DEEPEST = 32;

/**
 * Describes a release of a Maven artifact (`group:artifact`): its sources where the repository has
 * them. Otherwise it is the jar, of which only resources can be read.
 */
export async function describeMaven(
  reader: RegistryReader,
  query: ReleaseQuery,
): Promise<DescribedRelease> {
  const [, group, artifact] = NAME.exec(query.name) ?? [];
  if (group === undefined || artifact === undefined) {
    throw refusedName(query, '`group:artifact`, such as `com.google.guava:guava`');
  }
  const path = `${group.replaceAll('.', '/')}/${artifact}`;
  const version =
    query.version === undefined ? await latestOf(reader, query, path) : exactVersion(query);
  const base = `${path}/${encodeURIComponent(version)}/${artifact}-${encodeURIComponent(version)}`;
  const pom = await reader.read(`${base}.pom`);
  if (pom === null) {
    throw (await reader.read(`${path}/maven-metadata.xml`)) === null
      ? missingPackage(query)
      : missingVersion(query);
  }
  const archives = [
    ...(await archiveOf(reader, `${base}-sources.jar`, 'source')),
    ...(await archiveOf(reader, `${base}.jar`, 'binary')),
  ];
  if (archives.length === 0) throw unreadable(query, `version ${version} has no jar`);
  const texts = elementsOf(pom);
  return {
    name: query.name,
    version,
    description: textOf(texts.get('project/description')?.[0]?.replace(/\s+/g, ' ')),
    homepage: linkOf(texts.get('project/url')?.[0]),
    license: textOf(texts.get('project/licenses/license/name')?.[0], 200),
    deprecated: null,
    yanked: null,
    archives,
  };
}

/** Returns an exact version; rejects snapshots, which change under their name. */
function exactVersion(query: ReleaseQuery): string {
  const version = query.version ?? '';
  const isWord = /^(?:latest|release)$/i.test(version);
  if (!VERSION.test(version) || isWord)
    throw refusedVersion(query, /[[\](),]/.test(version), '33.5.0-jre');
  if (/-snapshot$/i.test(version)) throw refusedVersion(query, false, '33.5.0-jre');
  return version;
}

async function latestOf(
  reader: RegistryReader,
  query: ReleaseQuery,
  path: string,
): Promise<string> {
  const metadata = await reader.read(`${path}/maven-metadata.xml`);
  if (metadata === null) throw missingPackage(query);
  const texts = elementsOf(metadata);
  const versions = (texts.get('metadata/versioning/versions/version') ?? []).filter((each) =>
    VERSION.test(each),
  );
  const ordered = versions
    .filter((each) => !/-snapshot$/i.test(each))
    .sort((a, b) => compareMavenVersions(b, a));
  const latest = ordered.find((each) => !isMavenPreRelease(each)) ?? ordered[0];
  if (latest === undefined) throw missingVersion(query);
  return latest;
}

/**
 * Returns an archive. The file with its digest shows that the archive exists; every repository has
 * the weakest digest.
 */
async function archiveOf(
  reader: RegistryReader,
  path: string,
  content: PackageArchive['content'],
): Promise<PackageArchive[]> {
  for (const algorithm of ['sha512', 'sha256', 'sha1'] as const) {
    const text = await reader.read(`${path}.${algorithm}`);
    const digest: ArchiveDigest | null =
      text === null
        ? null
        : hexDigest(algorithm, Buffer.from(text).toString('latin1').trim().split(/\s+/)[0]);
    if (digest !== null)
      return [{ url: `${reader.url}/${path}`, format: 'zip', content, digest, size: null }];
  }
  return [];
}

/** Returns the texts of a small XML document without namespaces, by the path of their elements. */
function elementsOf(bytes: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  const open: string[] = [];
  let text = '';
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(name.replace(/^.*:/, ''));
        text = '';
      },
      ontext(part) {
        if (open.length <= DEEPEST) text += part;
      },
      onclosetag() {
        const path = open.length <= DEEPEST ? open.join('/') : '';
        if (text.trim() !== '') texts.set(path, [...(texts.get(path) ?? []), text.trim()]);
        text = '';
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(Buffer.from(bytes).toString('utf8'));
  return texts;
}
