import { basename } from 'node:path';

import { resolveRepository } from '#apps/standalone/demo/repository';
import type { ApiClient, JobView, SourceView } from '#test/support/api-client';

import { timed } from './measure.js';

const SYNC_TIMEOUT_MS = 900_000;

/** A synced repository with what its first sync took. */
export interface SyncedRepository {
  readonly source: SourceView;
  readonly job: JobView;
  readonly milliseconds: number;
}

/** Registers and syncs a repository given by folder. */
export async function syncRepository(
  client: ApiClient,
  folder: string,
  scratch: string,
  name = basename(folder),
): Promise<SyncedRepository> {
  const { url, branch } = await resolveRepository(folder, scratch);
  const source = await client.createRepo(name, url, { branch });
  const { milliseconds, result: job } = await timed(() =>
    client.syncToEnd(source.id, SYNC_TIMEOUT_MS),
  );
  return { source, job, milliseconds };
}

/**
 * Syncs repositories until the tenant has at least `chunks` more chunks; when they are used up they
 * are taken again as further sources.
 * @param taken how many were taken before: the next one comes first.
 */
export async function fillTo(
  client: ApiClient,
  folders: readonly string[],
  chunks: number,
  scratch: string,
  taken = 0,
): Promise<{ readonly chunks: number; readonly sources: readonly SyncedRepository[] }> {
  const sources: SyncedRepository[] = [];
  let total = 0;
  for (let index = taken; total < chunks; index += 1) {
    const folder = folders[index % folders.length];
    if (!folder) throw new Error('The benchmark needs at least one repository');
    const synced = await syncRepository(client, folder, scratch, `${basename(folder)} ${index}`);
    if (synced.job.chunks_created === 0) throw new Error(`${folder} has no chunks`);
    sources.push(synced);
    total += synced.job.chunks_created;
  }
  return { chunks: total, sources };
}
