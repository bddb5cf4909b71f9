import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isTerminal } from '#domain';
import { sleep } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

const HOUR_MS = 3_600_000;

describe('syncs that nobody asks for', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  beforeEach(async () => {
    ahead = 0;
    harness = await PipelineHarness.open();
    repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.ts': 'export const a = 1;\n',
    });
  });
  afterEach(() => harness.close());

  async function jobsOf(sourceId: string): Promise<string[]> {
    const jobs: string[] = [];
    for await (const { type, data } of harness.store.read(`source-${sourceId}`)) {
      if (type === 'SourceSyncRequested') jobs.push(String(data['job_id']));
    }
    return jobs;
  }
  /** Waits until a source has had so many syncs and the last of them has ended. */
  async function synced(sourceId: string, count: number): Promise<string[]> {
    for (let waited = 0; waited < 20_000; waited += 20) {
      const jobs = await jobsOf(sourceId);
      if (jobs.length >= count && isTerminal(await harness.job(jobs.at(-1) ?? ''))) return jobs;
      await sleep(20);
    }
    throw new Error(`${sourceId} had ${(await jobsOf(sourceId)).length} syncs`);
  }
  const setInterval = (tenant: string, source: string) =>
    harness.commandSource(tenant, source, {
      type: 'UpdateSource',
      data: { sync_interval_seconds: 300 },
    });

  it('happen for each tenant when the interval is over, and once for what was missed while the process was down', async () => {
    const sources = await Promise.all(
      ['t1', 't2'].map((tenant) => harness.registerSource(tenant, repository.url)),
    );
    const [first = '', second = ''] = sources;
    await Promise.all([setInterval('t1', first), setInterval('t2', second)]);
    await harness.start({ now });
    ahead = HOUR_MS;
    const jobs = await Promise.all(sources.map((source) => synced(source, 1)));
    for (const [job = ''] of jobs)
      expect(await harness.job(job)).toMatchObject({ status: 'completed' });
    const commit = repository.commit({ 'a.ts': 'export const a = 2;\n' });
    await harness.pipeline?.stop();
    ahead = 24 * HOUR_MS;
    await harness.start({ now });
    const [, job = ''] = await synced(first, 2);
    expect(await harness.job(job)).toMatchObject({
      status: 'completed',
      published: { version_ref: commit },
    });
    await synced(second, 2);
    await harness.restart({ now });
    expect([await synced(first, 2), await synced(second, 2)].map(({ length }) => length)).toEqual([
      2, 2,
    ]);
  });

  it('follow a sync that a push came into, also where the process ends between', async () => {
    const source = await harness.registerSource('t1', repository.url);
    const running = await harness.requestSync('t1', source);
    await harness.commandSource('t1', source, { type: 'QueueSync', data: {} });
    await harness.start({ now });
    const jobs = await synced(source, 2);
    expect(jobs[0]).toBe(running);
    await harness.restart({ now });
    expect(await synced(source, 2)).toHaveLength(2);
  });
});
