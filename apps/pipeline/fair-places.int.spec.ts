import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { aborted } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

import { fetchStage } from './stages/fetch.stage.js';
import type { StageFunction } from './stages/stage.types.js';

describe('places of a stage', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.txt': 'words\n',
    });
  });
  afterEach(() => harness.close());

  /** Fetches of tenant `slow` last until they are ended; the jobs that were at it, in order. */
  function slowFetch() {
    const fetching: string[] = [];
    const stage: StageFunction = async (context) => {
      if (context.tenantId !== 'slow') return fetchStage(context);
      fetching.push(context.job.job_id);
      await aborted(context.signal);
      throw context.signal.reason;
    };
    return { fetching, stage };
  }
  const request = async (tenant: string) =>
    harness.requestSync(tenant, await harness.registerSource(tenant, repository.url));

  it('are not all held by six sources of one tenant on a slow server', async () => {
    const { fetching, stage } = slowFetch();
    await harness.start({ stages: { fetch: stage } });
    for (let source = 0; source < 6; source += 1) await request('slow');
    await harness.until(async () => (fetching.length === 2 ? true : null), 'the slow fetches');
    const quiet = await Promise.all(['t1', 't2', 't1', 't2'].map(request));
    for (const job of quiet)
      expect(await harness.ended(job)).toMatchObject({ status: 'completed' });
    expect(fetching).toHaveLength(2);
  });

  it('go from a fetch that exceeds its time to the next in line', async () => {
    const { fetching, stage } = slowFetch();
    await harness.start({ stages: { fetch: stage }, stageTimeoutSeconds: 0.5 });
    const jobs = [];
    for (let source = 0; source < 3; source += 1) jobs.push(await request('slow'));
    for (const job of jobs) {
      expect(await harness.ended(job)).toMatchObject({
        status: 'failed',
        error_message: 'Stage fetch took longer than 0.5 s (STAGE_TIMEOUT_SECONDS)',
      });
    }
    expect(fetching.toSorted()).toEqual(jobs.toSorted());
  });
});
