import { type AnalyzedPart, decodePart } from '#search-index/pack/analyzed-part';
import { type BuiltPack, preparePack } from '#search-index/pack/build-pack';
import { mergePacks } from '#search-index/pack/merge-packs';
import { readPack } from '#search-index/pack/read-pack';
import { packTrigrams } from '#search-index/pack/trigrams/pack-trigrams';

import type { BasePackInput, ChunkChanges, StageTasks } from '../stage-tasks.js';
import { receiveTrigrams } from './receive-trigrams.js';

type Input = StageTasks['pack']['input'];

/**
 * Builds the new pack, merged with the surviving chunks of the base if the plan says so, and
 * reports the changes.
 */
export async function packTask(input: Input): Promise<StageTasks['pack']['output']> {
  const { parts, meta, base, merge, trigrams } = input;
  const decoded = parts.map(decodePart);
  const before = new Map<string, string>();
  const packs = base.map((input) => ({ input, pack: readPack(input.bytes) }));
  for (const { input, pack } of packs) {
    for (const { first, chunks } of input.affected) {
      for (let chunk = first; chunk < first + chunks; chunk += 1) {
        before.set(
          place(pack.tables.path(chunk), pack.tables.ordinal(chunk)),
          pack.tables.contentHash(chunk),
        );
      }
    }
  }
  const changes = compare(
    before,
    decoded.flatMap(({ chunks }) => chunks),
  );
  const fresh = decoded.some(({ chunks }) => chunks.length > 0)
    ? await freshPack(decoded, meta, trigrams)
    : null;
  if (!merge) return { pack: fresh, changes };
  const survivors = packs.map(({ input, pack }) => ({ pack, dropped: droppedOf(input) }));
  if (fresh) survivors.push({ pack: readPack(fresh.bytes), dropped: undefined });
  const merged = survivors.length > 0 ? mergePacks(survivors) : null;
  return { pack: notEmpty(merged), changes };
}

/** Builds the pack of parts, with the trigrams of another thread if they arrive. */
async function freshPack(
  parts: readonly AnalyzedPart[],
  meta: Input['meta'],
  port: Input['trigrams'],
): Promise<BuiltPack> {
  const prepared = preparePack(parts, meta);
  const received = port && (await receiveTrigrams(port));
  return prepared.finish(received ?? packTrigrams(prepared.chunks));
}

function compare(
  before: ReadonlyMap<string, string>,
  after: readonly {
    readonly path: string;
    readonly ordinal: number;
    readonly content_hash: string;
  }[],
): ChunkChanges {
  let created = 0;
  let updated = 0;
  let matched = 0;
  for (const chunk of after) {
    const hash = before.get(place(chunk.path, chunk.ordinal));
    if (hash === undefined) created += 1;
    else {
      matched += 1;
      if (hash !== chunk.content_hash) updated += 1;
    }
  }
  return {
    chunks_created: created,
    chunks_updated: updated,
    chunks_deleted: before.size - matched,
  };
}

function place(path: string, ordinal: number): string {
  return `${ordinal}:${path}`;
}

function droppedOf(input: BasePackInput): Uint8Array | undefined {
  return input.dropped ?? undefined;
}

function notEmpty(pack: BuiltPack | null): BuiltPack | null {
  return pack && pack.chunkCount > 0 ? pack : null;
}
