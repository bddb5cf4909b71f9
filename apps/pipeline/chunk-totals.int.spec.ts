import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import { folderBytes } from '#platform';
import { type PipelineWithSource, pipelineWithSource } from '#test/support/pipeline-faults';
import { proposed } from '#test/support/sample-events';

describe('pipeline: the chunks that a plan allows', () => {
  let harness: PipelineWithSource['harness'];
  let source: PipelineWithSource['source'];
  let url: string;
  beforeEach(async () => {
    ({ harness, source } = await pipelineWithSource());
    url = `file://${harness.directory.path}/repository`;
  });
  afterEach(() => harness.close());

  const limited = (total: number) => ({
    environment: {
      QUOTA_PLANS: JSON.stringify({
        standard: { chunks: { total } },
        large: { chunks: { total: null } },
      }),
    },
  });
  const chunksOf = async (): Promise<number> => {
    await harness.start();
    const job = await harness.sync('t1', source);
    return job.status === 'completed' ? (job.staged?.chunk_count ?? 0) : 0;
  };

  it('are published by one of several simultaneous syncs that each would fit alone, and the others say why not', async () => {
    const chunks = await chunksOf();
    expect(chunks).toBeGreaterThan(1);
    await harness.restart(limited(2 * chunks));
    const others = await Promise.all([1, 2, 3].map(() => harness.registerSource('t1', url)));
    const jobs = await Promise.all(others.map((other) => harness.sync('t1', other)));
    expect(jobs.map(({ status }) => status).sort()).toEqual(['completed', 'failed', 'failed']);
    for (const job of jobs) {
      if (job.status !== 'failed') continue;
      expect(job.error_message).toBe(
        `The plan standard allows ${2 * chunks} chunks in all; other sources have ${2 * chunks}, and this sync would publish ${chunks}`,
      );
      // A lost lease may add attempts; the refusal itself is final.
      const types = await harness.types(`job-${job.job_id}`);
      expect(types.filter((type) => type === 'JobStageFailed').length).toBeLessThanOrEqual(1);
    }
    expect(await harness.sync('t2', await harness.registerSource('t2', url))).toMatchObject({
      status: 'completed',
    });
  }, 60_000);

  it('are free again when a source is removed, and are those of the plan that the tenant has by then', async () => {
    const chunks = await chunksOf();
    await harness.restart(limited(chunks));
    const second = await harness.registerSource('t1', url);
    expect(await harness.sync('t1', second)).toMatchObject({ status: 'failed' });
    await harness.commandSource('t1', source, { type: 'RemoveSource', data: {} });
    expect(await harness.sync('t1', second)).toMatchObject({ status: 'completed' });
    const third = await harness.registerSource('t1', url);
    expect(await harness.sync('t1', third)).toMatchObject({ status: 'failed' });
    const events: readonly DomainEvent[] = [
      { type: 'TenantCreated', data: { tenant_id: 't1', name: 'T1' } },
      { type: 'TenantPlanChanged', data: { tenant_id: 't1', plan: 'large' } },
    ];
    const given = events.map((event) => proposed(event, { tenant_id: 't1' }));
    await harness.store.append('tenant-t1', given, 'none');
    expect(await harness.sync('t1', third)).toMatchObject({ status: 'completed' });
  }, 60_000);

  it('may be renewed where there are more than the plan allows by now', async () => {
    await chunksOf();
    await harness.restart(limited(1));
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed' });
  }, 60_000);

  it('take no more bytes than the plan allows, and a first sync that fails keeps nothing on disk', async () => {
    const bytesUnder = (total: number) => ({
      environment: { QUOTA_PLANS: JSON.stringify({ standard: { bytes: { total } } }) },
    });
    await harness.start();
    const first = await harness.sync('t1', source);
    const bytes = (first.status === 'completed' ? first.staged?.bytes : 0) ?? 0;
    const kept = join(harness.directory.path, 'data', 'scratch', 'git');
    expect(bytes).toBeGreaterThan(await folderBytes(join(kept, source)));
    await harness.restart(bytesUnder(2 * bytes - 1));
    const second = await harness.registerSource('t1', url);
    const refused = await harness.sync('t1', second);
    expect(refused).toMatchObject({ status: 'failed' });
    expect(refused.status === 'failed' && refused.error_message).toContain(
      `allows ${2 * bytes - 1} bytes in all`,
    );
    expect(await harness.sync('t2', await harness.registerSource('t2', url))).toMatchObject({
      status: 'completed',
    });
    expect(await folderBytes(join(kept, second))).toBe(0);
    expect(await folderBytes(join(kept, source))).toBeGreaterThan(0);
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed' });
  }, 60_000);
});
