import { join } from 'node:path';

import { openSegmentIndex, type SearchIndex } from '#search-index';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo, syncRepository } from '../corpus.js';
import { type NamedPart, type Part, partsOf } from '../parts-of-content.js';
import {
  type Compared,
  compareWays,
  queriesByKind,
  recallFigures,
  sameListFigure,
  timeFigure,
} from '../recall-figures.js';
import { type Figure, loadAverage } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const CHUNKS = 58_000;

/**
 * Measures how many of the nearest vectors two steps find, by kind of query. It does so also in
 * parts that a request selects: folders, languages, the smallest of several sources. It compares
 * the first results of the whole ranking as well. Both ways take turns in one process.
 */
export const recallScenario: Scenario = {
  name: 'recall',
  async run({ repositories, scratch, sizes: wanted, say, note }: BenchContext) {
    const [chunks = CHUNKS] = wanted ?? [];
    const service = await TwoTenantService.start(ROOMY);
    let index: SearchIndex | undefined;
    try {
      const filled = await fillTo(service.first, repositories, chunks, scratch);
      const sources = [...filled.sources];
      for (const folder of repositories.slice(sources.length))
        sources.push(await syncRepository(service.first, folder, scratch));
      const sizes = sources.map(({ job }) => job.chunks_created);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      note('chunks', String(total));
      const queries = await queriesByKind(service);
      await service.stop();
      index = await openSegmentIndex({ directory: join(service.dataDir, 'index') });
      const corpus = await index.generations();
      const whole: Part = { corpus, scope: corpus, chunks: total };
      const figures: Figure[] = [];
      const all: Compared[] = [];
      for (const [kind, some] of Object.entries(queries)) {
        const measured = await compareWays(index, whole, some);
        figures.push(...recallFigures(kind, measured));
        all.push(...measured);
        figures.push(timeFigure(kind, measured));
        say(`${kind}: ${some.length} queries`);
      }
      const bySize = sources.toSorted((a, b) => a.job.chunks_created - b.job.chunks_created);
      const [small, large] = [bySize[0], bySize.at(-1)].map((each) =>
        corpus.find(({ sourceId }) => sourceId === each?.source.id),
      );
      const parts: NamedPart[] = large ? await partsOf(index, whole, large) : [];
      if (small && small !== large) {
        const size = Math.min(...sizes);
        const name = `one source of ${size} chunks`;
        parts.push({ ...whole, scope: [small], chunks: size, name });
      }
      for (const { name, ...part } of parts) {
        const measured = await compareWays(index, part, Object.values(queries).flat());
        figures.push(...recallFigures(name, measured), timeFigure(name, measured));
        say(name);
      }
      note('load', loadAverage());
      figures.push(sameListFigure(all));
      return figures;
    } finally {
      await index?.close();
      await service.dispose();
    }
  },
};
