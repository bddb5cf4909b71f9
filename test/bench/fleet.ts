import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import type { ApiClient } from '#test/support/api-client';

import { inParallel } from './measure.js';
import { smallLibrary, writeBareRepository } from './small-repository.js';

/** Clients that register, then ask for the syncs. */
const CLIENTS = 8;
const LOOK_EVERY_MS = 250;

/** Syncs that had ended after a time. */
export interface Progress {
  readonly seconds: number;
  readonly ended: number;
}

/** Writes small repositories and registers each as a source. Returns the ids of the sources. */
export async function registerFleet(
  client: ApiClient,
  size: number,
  folder: string,
): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const urls = Array.from({ length: size }, (_, index) => {
    const path = join(folder, `${index}.git`);
    writeBareRepository(path, smallLibrary(index));
    return pathToFileURL(path).href;
  });
  const sources: string[] = [];
  await inParallel(CLIENTS, size, async (index) => {
    sources.push((await client.createRepo(`library ${index}`, urls[index] ?? '')).id);
  });
  return sources;
}

/** Requests the syncs of all sources; resolves once all are accepted. */
export async function startSyncs(client: ApiClient, sources: readonly string[]): Promise<void> {
  await inParallel(
    CLIENTS,
    sources.length,
    async (index) => void (await client.sync(sources[index] ?? '')),
  );
}

/**
 * Returns the progress of the syncs until all have ended or the time is over.
 * @param before syncs that had ended already.
 */
export async function untilSynced(
  client: ApiClient,
  size: number,
  timeoutMs: number,
  before: number,
): Promise<readonly Progress[]> {
  const started = performance.now();
  const progress: Progress[] = [{ seconds: 0, ended: 0 }];
  for (;;) {
    const completed = await count(client, 'completed');
    const ended = completed + (await count(client, 'failed')) - before;
    const seconds = (performance.now() - started) / 1_000;
    if (ended > (progress.at(-1)?.ended ?? 0)) progress.push({ seconds, ended });
    if (ended >= size || seconds * 1_000 > timeoutMs) return progress;
    await delay(LOOK_EVERY_MS);
  }
}

/** @throws Error if a sync failed, or none ended. */
export async function requireCompleted(client: ApiClient, ended: number): Promise<void> {
  const failed = await count(client, 'failed');
  if (failed > 0 || ended === 0) throw new Error(`${failed} syncs failed, ${ended} ended`);
}

async function count(client: ApiClient, status: string): Promise<number> {
  return (await client.expect<{ total: number }>('GET', `/jobs?status=${status}&limit=1`)).total;
}
