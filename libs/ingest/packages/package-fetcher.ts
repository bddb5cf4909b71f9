import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { packageFailure, packageUrl, type PackageVersion } from '#contracts';
import type { Config, PackageSettings } from '#platform';

import { ArchiveRefusedError } from '../archives/archive-refused.js';
import { type ArchiveFile, scanArchive, type ScannedArchive } from '../archives/scan-archive.js';
import type {
  FetchedDocument,
  Fetcher,
  FetchRequest,
  SourceDocument,
  SourceSnapshot,
} from '../fetch/fetcher.port.js';
import { selectFiles } from '../select/select-files.js';
import { downloadArchive } from './download-archive.js';
import { mayBeWanted, packageSkips } from './package-files.js';
import { PackageRegistries } from './package-registries.js';
import type { PackageArchive, ResolvedPackage } from './package-registry.port.js';

/** Time for an archive, in multiples of the time for a description. */
const ARCHIVE_TIMES = 20;

/**
 * Reads a release of a package. Its version is that of the release, which never changes. Its
 * documents are the files of the best archive that fits, under paths that begin with the package's
 * name.
 */
export function createPackageFetcher(
  settings: PackageSettings,
  network: Pick<Config['network'], 'allowPrivateNetworks'>,
): Fetcher {
  const registries = new PackageRegistries(settings, network);
  return {
    async resolve(request) {
      request.signal.throwIfAborted();
      const release = request.definition.package;
      if (release === undefined) throw new Error('The definition names no package');
      return {
        ref: release.version,
        open: () => openRelease(release, request, registries, settings),
      };
    },
  };
}

async function openRelease(
  release: PackageVersion,
  request: FetchRequest,
  registries: PackageRegistries,
  settings: PackageSettings,
): Promise<SourceSnapshot> {
  const { tenantId, directory, signal } = request;
  const subject = packageUrl(release);
  const registry = registries.endpoint({ ...release, tenantId }, subject);
  const resolved = await registries.resolve({ ...release, tenantId }, signal);
  // If the operator removed a private registry, its package must not become another one with the
  // same name.
  if (resolved.ownerTenantId !== tenantId) {
    const message = `No private registry of this tenant has ${release.name} any more`;
    throw packageFailure('registry_unavailable', message, false, { url: subject });
  }
  const archive = fittingArchive(resolved, settings, subject);
  await mkdir(directory, { recursive: true });
  const folder = await mkdtemp(join(directory, 'package-'));
  try {
    const file = join(folder, 'archive');
    const timeoutMs = Math.min(request.timeoutMs, settings.timeoutMs * ARCHIVE_TIMES);
    const { network, onProgress } = request;
    const reported = onProgress && { onProgress };
    await downloadArchive(archive, {
      registry,
      subject,
      network,
      signal,
      file,
      timeoutMs,
      maxBytes: settings.maxBytes,
      ...reported,
    });
    const scanned = await scan(file, archive, request, settings, subject, join(folder, 'content'));
    await rm(file);
    return await snapshotOf(release, archive, scanned, request, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    signal.throwIfAborted();
    throw error;
  }
}

/** Returns the first archive that is small enough, as far as the registry reports sizes. */
function fittingArchive(
  { archives }: ResolvedPackage,
  settings: PackageSettings,
  subject: string,
): PackageArchive {
  const { maxBytes, maxUnpackedBytes } = settings;
  const fits = archives.find(
    ({ size, unpackedSize }) => (size ?? 0) <= maxBytes && (unpackedSize ?? 0) <= maxUnpackedBytes,
  );
  if (fits) return fits;
  const limits = `PACKAGE_MAX_BYTES (${maxBytes}) and PACKAGE_MAX_UNPACKED_BYTES (${maxUnpackedBytes})`;
  throw packageFailure('package_too_large', `${subject} is larger than ${limits} allow`, false, {
    url: subject,
  });
}

async function scan(
  file: string,
  { format, strip }: PackageArchive,
  { limits, signal }: FetchRequest,
  settings: PackageSettings,
  subject: string,
  spool: string,
): Promise<ScannedArchive> {
  const isOwn = settings.maxFiles < limits.maxSourceFiles;
  try {
    return await scanArchive(file, {
      format,
      strip,
      wants: mayBeWanted,
      spool,
      signal,
      limits: {
        maxFiles: isOwn ? settings.maxFiles : limits.maxSourceFiles,
        maxFilesName: isOwn ? 'PACKAGE_MAX_FILES' : 'MAX_SOURCE_FILES',
        maxUnpackedBytes: Math.min(settings.maxUnpackedBytes, limits.maxSourceBytes),
        maxFileBytes: limits.maxFileBytes,
      },
    });
  } catch (error) {
    if (!(error instanceof ArchiveRefusedError)) throw error;
    const problem = error.reason === 'too_large' ? 'package_too_large' : 'package_unreadable';
    const message = `The archive of ${subject} ${error.message}`;
    throw packageFailure(
      problem,
      message,
      false,
      { url: subject, archive: error.reason },
      { cause: error },
    );
  }
}

async function snapshotOf(
  { name, version }: PackageVersion,
  archive: PackageArchive,
  scanned: ScannedArchive,
  { definition, limits, signal }: FetchRequest,
  folder: string,
): Promise<SourceSnapshot> {
  const skips = await packageSkips(scanned.files.map(({ path }) => path));
  const kept = scanned.files.filter(({ path }) => !skips.has(path));
  const { selected, skipped } = await selectFiles(kept, {
    include: definition.include_patterns,
    exclude: definition.exclude_patterns,
    maxFileBytes: limits.maxFileBytes,
    keepsOutputs: true,
    signal,
  });
  const byPath = new Map<
    string,
    { readonly file: ArchiveFile; readonly document: SourceDocument }
  >();
  for (const { file, named } of selected) {
    const path = documentPath(name, file.path, archive);
    const { content, size } = file;
    if (content === null || byPath.has(path)) continue;
    const document: SourceDocument = {
      path,
      kind: 'file',
      version: content.hash,
      size,
      ...(named && { named }),
    };
    byPath.set(path, { file, document });
  }
  const documents = [...byPath.values()]
    .map(({ document }) => document)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  let isOpen = true;
  return {
    ref: version,
    documents,
    skipped: withReasons(skipped, [...skips.values()], scanned.odd),
    async *read(asked): AsyncGenerator<FetchedDocument> {
      for (const { path, kind, named } of asked) {
        signal.throwIfAborted();
        const found = byPath.get(path);
        if (!isOpen || found === undefined)
          throw new Error('The snapshot is closed, or has no such document');
        yield { path, kind, bytes: await scanned.read(found.file), ...(named && { named }) };
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await scanned.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the path of a document. Files that a wheel installs as the package's own folder already
 * begin with its name.
 */
function documentPath(name: string, path: string, { strip }: PackageArchive): string {
  return strip === undefined && path.startsWith(`${name}/`) ? path : `${name}/${path}`;
}

function withReasons(
  skipped: SourceSnapshot['skipped'],
  skips: readonly string[],
  odd: Readonly<Record<string, number>>,
): SourceSnapshot['skipped'] {
  const counts: Record<string, number> = {};
  for (const reason of skips) counts[reason] = (counts[reason] ?? 0) + 1;
  const more = Object.entries({ ...counts, ...odd }).filter(([, count]) => count > 0);
  const files_skipped = more.reduce((sum, [, count]) => sum + count, skipped['files_skipped'] ?? 0);
  return {
    ...skipped,
    files_skipped,
    ...Object.fromEntries(more.map(([reason, count]) => [`files_skipped_${reason}`, count])),
  };
}
