import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

import { packageFailure } from '#contracts';

import type { FetchRequest } from '../fetch/fetcher.port.js';
import { WebClient } from '../web/web-client.js';
import type { PackageArchive } from './package-registry.port.js';
import { authorizationFor, REGISTRY_AGENT, type RegistryEndpoint } from './registry-documents.js';
import { REGISTRY_NAMES, registryFailure } from './registry-failure.js';

export interface DownloadOptions extends Pick<FetchRequest, 'network' | 'signal' | 'onProgress'> {
  readonly registry: RegistryEndpoint;
  /** Name of the package in failures. */
  readonly subject: string;
  /** Path of a file that does not exist yet. */
  readonly file: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Writes an archive to a local file, and checks its digest before anybody reads it.
 *
 * @throws StageFailure that {@link packageProblemOf} reads: too large, not the archive that the
 * registry promised, or unavailable.
 */
export async function downloadArchive(
  archive: PackageArchive,
  options: DownloadOptions,
): Promise<void> {
  const { registry, subject, network, signal, timeoutMs, maxBytes, file, onProgress } = options;
  const trustedOrigins = [new URL(registry.url).origin];
  const client = new WebClient({
    network,
    trustedOrigins,
    userAgent: REGISTRY_AGENT,
    signal,
    timeoutMs,
  });
  const hash = createHash(archive.digest?.algorithm ?? 'sha256');
  let size = 0;
  try {
    const authorization = authorizationFor(registry, archive.url);
    const answer = await client.stream(archive.url, { maxBytes, authorization, verbatim: true });
    if (answer.kind === 'unchanged') throw new Error('Nothing was known that could be unchanged');
    const handle = await open(file, 'wx', 0o600);
    try {
      for await (const part of answer.body) {
        hash.update(part);
        size += part.byteLength;
        await writeAll(handle, part);
        onProgress?.(`Fetched ${size} bytes of ${subject}`);
      }
    } finally {
      answer.discard();
      await handle.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw registryFailure(error, registry.ecosystem, subject);
  } finally {
    await client.close();
  }
  const expected = archive.digest;
  if (expected !== null && hash.digest('hex') !== expected.hex) {
    const message = `The ${REGISTRY_NAMES[registry.ecosystem]} sent another archive of ${subject} than it promised: its ${expected.algorithm} differs`;
    throw packageFailure('package_unreadable', message, false, { url: subject });
  }
}

async function writeAll(
  handle: Awaited<ReturnType<typeof open>>,
  bytes: Uint8Array,
): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) at += (await handle.write(bytes, at)).bytesWritten;
}
