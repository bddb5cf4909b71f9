import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Manifest } from '#contracts';
import { uuidv5 } from '#platform';
import { openSegmentIndex, type SearchIndex } from '#search-index';
import { type Pack, readPack } from '#search-index/pack/read-pack';
import { SegmentFolder } from '#search-index/segments/store/segment-folder';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../corpus.js';
import type { Part } from '../parts-of-content.js';
import {
  type Compared,
  compareWays,
  queriesByKind,
  recallFigures,
  sameListFigure,
  timeFigure,
} from '../recall-figures.js';
import { type Figure, loadAverage } from '../report.js';
import { syntheticPack } from '../synthetic-pack.js';
import type { BenchContext, Scenario } from './scenario.js';

const SIZES = [530_000];

/**
 * Measures how many of the nearest vectors two steps find in corpora of different chunks, which
 * grow out of one repository (`syntheticPack`). Repeated repositories have equal vectors, which
 * makes a corpus easier.
 */
export const syntheticRecallScenario: Scenario = {
  name: 'synthetic-recall',
  async run({ repositories: [folder = '.'], scratch, sizes = SIZES, say, note }: BenchContext) {
    const service = await TwoTenantService.start(ROOMY);
    let index: SearchIndex | undefined;
    try {
      await syncRepository(service.first, folder, scratch);
      const queries = await queriesByKind(service);
      await service.stop();
      const directory = join(service.dataDir, 'index');
      const pack = await largestPack(directory);
      index = await openSegmentIndex({ directory });
      const figures: Figure[] = [];
      for (const size of sizes.toSorted((a, b) => a - b)) {
        const whole = await grown(index, pack, size, say);
        const all: Compared[] = [];
        for (const [kind, some] of Object.entries(queries)) {
          const measured = await compareWays(index, whole, some);
          const what = `${kind}, ${whole.chunks} chunks`;
          figures.push(...recallFigures(what, measured), timeFigure(what, measured));
          all.push(...measured);
          say(`${what}: ${some.length} queries`);
        }
        figures.push(sameListFigure(all));
      }
      note('load', loadAverage());
      return figures;
    } finally {
      await index?.close();
      await service.dispose();
    }
  },
};

async function largestPack(directory: string): Promise<Pack> {
  const folder = new SegmentFolder(directory);
  const { records } = await folder.records();
  const [largest] = records
    .flatMap(({ tenant_id, packs }) => packs.map((pack) => ({ ...pack, tenant_id })))
    .sort((a, b) => b.chunks - a.chunks);
  if (!largest) throw new Error('The repository has no chunks');
  return readPack(readFileSync(folder.segmentFile(largest.tenant_id, largest.hash)));
}

/** Adds synthetic sources until the index has so many chunks. */
async function grown(
  index: SearchIndex,
  pack: Pack,
  size: number,
  say: (line: string) => void,
): Promise<Part> {
  for (;;) {
    const corpus = await index.generations();
    const { meta } = pack;
    const chunks = meta.chunks * corpus.length;
    if (chunks + meta.chunks / 2 > size) return { corpus, scope: corpus, chunks };
    const sourceId = uuidv5('synthetic', String(corpus.length));
    const { bytes, chunkCount } = syntheticPack(pack, sourceId, corpus.length);
    const hash = createHash('sha256').update(bytes).digest('hex');
    await index.applyGeneration(manifestOf(pack, sourceId, hash), () => Promise.resolve(bytes));
    say(`${chunks + chunkCount} chunks`);
  }
}

function manifestOf({ meta }: Pack, sourceId: string, hash: string): Manifest {
  return {
    format: 1,
    tenant_id: meta.tenant_id,
    source_id: sourceId,
    generation: 1,
    version_ref: 'synthetic',
    recipe: '',
    analyzer: meta.analyzer,
    embedder: meta.embedder,
    documents: [],
    packs: [{ hash, chunks: meta.chunks, dropped_count: 0 }],
    file_count: 0,
    chunk_count: meta.chunks,
  };
}
