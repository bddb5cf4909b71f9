import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TRIGRAM_SECTION, TRIGRAM_TABLE_SECTION } from '#search-index/pack/pack-layout';
import { type Pack, readPack } from '#search-index/pack/read-pack';
import { decodeHeader, decodeSections } from '#search-index/pack/sections';
import { packTrigrams } from '#search-index/pack/trigrams/pack-trigrams';
import { SegmentFolder } from '#search-index/segments/store/segment-folder';

/** The bytes of the packs of a stopped service, and of their parts. */
export interface PackCost {
  readonly packs: number;
  readonly chunks: number;
  readonly bytes: number;
  /** UTF-8 bytes of the texts before compression. */
  readonly textBytes: number;
  /** Postings of trigrams, and the tables of their blocks, which are kept in memory. */
  readonly trigramBytes: number;
  readonly trigramTableBytes: number;
  /** Processor seconds of this process in which it computed all trigrams again. */
  readonly trigramSeconds: number;
}

/**
 * Measures the packs in the embedded index of a service that has stopped.
 * @throws Error if the trigrams are not those that the pack has.
 */
export async function packCost(dataDir: string): Promise<PackCost> {
  const folder = new SegmentFolder(join(dataDir, 'index'));
  const { records } = await folder.records();
  const files = new Set(
    records.flatMap(({ tenant_id: tenantId, packs }) =>
      packs.map(({ hash }) => folder.segmentFile(tenantId, hash)),
    ),
  );
  const sum = { packs: 0, chunks: 0, bytes: 0, textBytes: 0, trigramBytes: 0 };
  let [trigramTableBytes, trigramSeconds] = [0, 0];
  for (const file of files) {
    const bytes = readFileSync(file);
    const { sections } = decodeHeader(bytes);
    const pack = readPack(bytes);
    const texts = textsOf(pack);
    sum.packs += 1;
    sum.chunks += pack.meta.chunks;
    sum.bytes += bytes.length;
    sum.textBytes += texts.reduce((total, text) => total + text.length, 0);
    sum.trigramBytes += sections[TRIGRAM_SECTION]?.[1] ?? 0;
    trigramTableBytes += sections[TRIGRAM_TABLE_SECTION]?.[1] ?? 0;
    trigramSeconds += secondsOfTrigrams(
      pack,
      texts,
      decodeSections(bytes).section(TRIGRAM_SECTION),
    );
  }
  return { ...sum, trigramTableBytes, trigramSeconds };
}

function textsOf(pack: Pack): readonly Uint8Array[] {
  return Array.from({ length: pack.meta.chunks }, (_, chunk) => pack.text(chunk).slice());
}

function secondsOfTrigrams(
  { tables }: Pack,
  texts: readonly Uint8Array[],
  expected: Uint8Array,
): number {
  const part = { textOf: (index: number) => texts[index] as Uint8Array };
  const packed = texts.map((_, index) => ({ part, index, chunk: { path: tables.path(index) } }));
  const before = process.cpuUsage();
  const { data } = packTrigrams(packed);
  const { user, system } = process.cpuUsage(before);
  if (Buffer.compare(data, expected) !== 0) throw new Error('the trigrams differ from the pack');
  return (user + system) / 1e6;
}
