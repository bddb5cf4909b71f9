import { resolveRepository } from '#apps/standalone/demo/repository';
import { ROOMY } from '#test/support/limits';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { TwoTenantService } from '#test/support/two-tenants';

import { timed } from '../measure.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const PIPELINES = [1, 2, 4];
const SOURCES = 8;
/** The time of a remote model for a batch; each process sends one batch at a time. */
const BATCH_MS = 100;
/** Passages a batch: with many the processors are the limit, with few the model is. */
const BATCH_SIZES = [64, 8];
const TIMEOUT_MS = 600_000;

/**
 * Measures how the throughput of several simultaneous syncs grows with the pipeline processes that
 * share them. Servers only.
 */
export const scalingScenario: Scenario = {
  name: 'scaling',
  async run({ repositories, scratch, say }: BenchContext): Promise<readonly Figure[]> {
    if (!ON_STACK)
      throw new Error('Several processes need servers: npm run bench:stack -- scaling');
    const endpoint = await OpenAiEndpoint.start({ latencyMs: BATCH_MS, dimensions: 256 });
    try {
      const figures: Figure[] = [];
      for (const batchSize of BATCH_SIZES) {
        for (const pipelines of PIPELINES) {
          say(`${SOURCES} sources, ${pipelines} pipelines, ${batchSize} passages a batch`);
          figures.push(
            await measure(pipelines, batchSize, endpoint, repositories[0] ?? '.', scratch),
          );
        }
      }
      return figures;
    } finally {
      await endpoint.close();
    }
  },
};

async function measure(
  pipelines: number,
  batchSize: number,
  endpoint: OpenAiEndpoint,
  folder: string,
  scratch: string,
): Promise<Figure> {
  const environment = {
    EMBEDDING_BASE_URL: endpoint.url,
    EMBEDDING_API_KEY: 'simulated',
    EMBEDDING_MODEL: 'simulated',
    EMBEDDING_DIMENSIONS: '256',
    EMBEDDING_CONCURRENCY: '1',
    EMBEDDING_BATCH_SIZE: String(batchSize),
    KAFKA_PARTITIONS: '12',
    WORKER_THREADS: '1',
  };
  const service = await TwoTenantService.start(
    { ...ROOMY, ...environment },
    { pipeline: pipelines },
  );
  try {
    const { url, branch } = await resolveRepository(folder, scratch);
    const sources = await Promise.all(
      Array.from({ length: SOURCES }, (_, index) =>
        service.first.createRepo(`Copy ${index}`, url, { branch }),
      ),
    );
    const { milliseconds, result: jobs } = await timed(() =>
      Promise.all(sources.map(({ id }) => service.first.syncToEnd(id, TIMEOUT_MS))),
    );
    const chunks = jobs.reduce((sum, job) => sum + job.chunks_created, 0);
    const perSecond = (chunks / milliseconds) * 1_000;
    return {
      what: `${SOURCES} simultaneous syncs, ${chunks} chunks, embedding at ${BATCH_MS} ms a batch of ${batchSize}, ${pipelines} pipeline process${pipelines === 1 ? '' : 'es'}`,
      measured: `${perSecond.toFixed(0)} chunks/s (${(milliseconds / 1_000).toFixed(1)} s)`,
      raw: { pipelines, batchSize, chunks, milliseconds, perSecond },
    };
  } finally {
    await service.dispose();
  }
}
